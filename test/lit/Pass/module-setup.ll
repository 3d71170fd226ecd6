; Each image gets one constructor and one destructor: hidden, merged by the linker.
; RUN: %opt_causal -passes=causal-module -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: $__causal_module_ctor_v2 = comdat any
; CHECK: $__causal_module_dtor_v2 = comdat any
; CHECK: @__start_causal_fn = extern_weak hidden constant i8
; CHECK: @__stop_causal_fn = extern_weak hidden constant i8
; CHECK: @llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{{.*}} { i32 65535, ptr @user, ptr null }, {{.*}} { i32 1, ptr @__causal_module_ctor_v2, ptr @__causal_module_ctor_v2 }]
; CHECK: @llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{{.*}} { i32 1, ptr @__causal_module_dtor_v2, ptr @__causal_module_dtor_v2 }]
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @user, ptr null }]

define void @user() {
  ret void
}

; CHECK: define linkonce_odr hidden void @__causal_module_ctor_v2() #[[ATTR:[0-9]+]] comdat
; CHECK: call void @__causal_version_mismatch_check_v2()
; CHECK: call void @__causal_register_image(ptr @__start_causal_fn, ptr @__stop_causal_fn, i32 3)
; CHECK: define linkonce_odr hidden void @__causal_module_dtor_v2() #[[ATTR]] comdat
; CHECK: call void @__causal_unregister_image(ptr @__start_causal_fn)
; CHECK: attributes #[[ATTR]] = {{{.*}}disable_sanitizer_instrumentation{{.*}}noprofile{{.*}}}
