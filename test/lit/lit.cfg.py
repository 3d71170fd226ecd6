"""Configuration of the lit suites.

Substitutions: %causal_clang, %causal_clangxx (the wrapper), %causal (the tool),
%clang, %clangxx (plain clang 19), %opt_causal (opt with the pass plugin loaded),
%env_causal_opts= (sets CAUSAL_OPTIONS for one command), %libdir (plugins and
runtime), %include (the shared headers), %source_dir, %cmake, %python, %gcc.
For Pass and LineTable, which need no wrapper and no runtime: %clang_plugin and
%clangxx_plugin (clang with both plugins), %no_sync and %no_module (switch that part
off), %no_elimination (input mode: check every access), %stub_runtime (a source file), %linemap_dump, %compare_code, %compare_lines.
A bare `clang` or `opt` in a RUN line is an error, so that no test uses the wrong one.
"""
import os
import re
import shutil
import sys
import lit.formats

config.name = "causal"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp", ".ll", ".test", ".s"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.causal_binary_dir, "test", "lit")

# So that the output of a suite that hangs names the test.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 600  # s

bin_dir = os.path.join(config.causal_binary_dir, "bin")
lib_dir = os.path.join(config.causal_binary_dir, "lib", "causal")
llvm = config.llvm_tools_dir
config.environment["PATH"] = os.pathsep.join([llvm, os.environ.get("PATH", "")])
config.environment.pop("CAUSAL_OPTIONS", None)
if config.causal_sanitize:
    config.available_features.add("sanitized")

plugins = f"-fplugin={lib_dir}/CausalFrontend.so -fpass-plugin={lib_dir}/CausalPass.so"
linemap_dump = os.path.join(config.causal_binary_dir, "test", "tools", "linemap-dump")
tools_dir = os.path.join(config.causal_source_dir, "test", "tools")
config.substitutions += [
    ("%clangxx_plugin", f"{llvm}/clang++ {plugins}"),
    ("%clang_plugin", f"{llvm}/clang {plugins}"),
    ("%no_sync", "-Xclang -mllvm -Xclang -causal-sync=false"),
    ("%no_module", "-Xclang -mllvm -Xclang -causal-module-setup=false"),
    ("%stub_runtime", os.path.join(config.test_source_root, "Pass", "Inputs", "stub-runtime.c")),
    ("%linemap_dump", linemap_dump),
    ("%compare_code", f"{sys.executable} {tools_dir}/compare_code.py"),
    ("%compare_lines", f"{sys.executable} {tools_dir}/compare_lines.py --dump {linemap_dump}"),
    ("%no_elimination", "-Xclang -mllvm -Xclang -causal-input-eliminate=false"),
    ("%run_traces", "env CAUSAL_OPTIONS=output=/dev/null"),
    ("%causal_clangxx", os.path.join(bin_dir, "causal-clang++")),
    ("%causal_clang", os.path.join(bin_dir, "causal-clang")),
    ("%causal", os.path.join(bin_dir, "causal")),
    ("%clangxx", os.path.join(llvm, "clang++")),
    ("%clang", os.path.join(llvm, "clang")),
    ("%opt_causal", f"{llvm}/opt -load-pass-plugin={lib_dir}/CausalPass.so"),
    (r"%env_causal_opts=", "env CAUSAL_OPTIONS="),
    ("%libdir", lib_dir),
    ("%include", os.path.join(config.causal_source_dir, "include")),
    ("%source_dir", config.causal_source_dir),
    ("%cmake", config.cmake),
    ("%python", sys.executable),
]
# Debian's libomp-19-dev; other versions of it cannot be installed beside it.
if os.path.exists(os.path.join(llvm, os.pardir, "lib", "libomp.so")):
    config.available_features.add("openmp")
# Debian's gcc-12, whose OpenMP library comes with it.
if gcc := shutil.which("gcc-12"):
    config.available_features.add("gcc-openmp")
    config.substitutions.append(("%gcc", gcc))
# Their completion is tested where they are.
for shell in ("zsh", "fish"):
    if shutil.which(shell):
        config.available_features.add(shell)
# `causal daemon --system` may sample what it likes.
if os.geteuid() == 0:
    config.available_features.add("system-wide")
# The engines that fleets of databases are asked with: npm ci --prefix test/fleet, and Debian's
# postgresql-15.
fleet = os.path.join(config.causal_source_dir, "test", "fleet")
if (node := shutil.which("node")) and os.path.isdir(os.path.join(fleet, "node_modules", "@duckdb")):
    config.available_features.add("duckdb")
    config.substitutions.append(("%node", node))
postgresql = "/usr/lib/postgresql/15/bin"
if os.path.exists(os.path.join(postgresql, "initdb")) and shutil.which("psql"):
    config.available_features.add("postgresql")
    config.substitutions.append(("%postgresql", postgresql))
for tool in ("clang", "clang++", "opt", "causal"):
    config.substitutions.append(
        (rf"(?<![\w/.%-]){re.escape(tool)}(?= )(?!-)", f'"error: write %{tool} in RUN lines, not a bare {tool}"'))
