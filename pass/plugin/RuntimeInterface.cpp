//===- RuntimeInterface.cpp - What emitted code may refer to --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types come from the C declarations in RuntimeABI.def. They are read with
// this machine's <pthread.h> and <signal.h>, which are the target's: both are
// x86-64.
//
//===----------------------------------------------------------------------===//
#include "plugin/RuntimeInterface.h"

#include "llvm/IR/Instructions.h"

#include <pthread.h>
#include <signal.h>
#include <type_traits>

using namespace llvm;

namespace {

/// The IR type of a scalar C type; null for an aggregate, which the ABI lowers.
template <class T> Type *scalarType(LLVMContext &C) {
  if constexpr (std::is_void_v<T>)
    return Type::getVoidTy(C);
  else if constexpr (std::is_pointer_v<T>)
    return PointerType::getUnqual(C);
  else if constexpr (std::is_integral_v<T>)
    return IntegerType::get(C, 8 * sizeof(T));
  else
    return nullptr;
}

template <class Function> struct Signature;
template <class Return, class... Params> struct Signature<Return(Params...)> {
  static FunctionType *type(LLVMContext &C) {
    return FunctionType::get(scalarType<Return>(C), {scalarType<Params>(C)...},
                             /*isVarArg=*/false);
  }

  static bool matches(const FunctionType &T) {
    LLVMContext &C = T.getContext();
    if (T.getReturnType() != scalarType<Return>(C))
      return false;
    if (T.isVarArg())
      return T.getNumParams() == 0;
    Type *Expected[] = {scalarType<Params>(C)...};
    if (T.getNumParams() != sizeof...(Params))
      return false;
    for (unsigned I = 0; I < sizeof...(Params); ++I)
      if (Expected[I] && T.getParamType(I) != Expected[I])
        return false;
    return true;
  }
};

struct EntryPoint {
  StringLiteral Name;
  FunctionType *(*Type)(LLVMContext &);
};

const EntryPoint Entries[] = {
#define CAUSAL_ENTRY(Return, Name, Params) {#Name, Signature<Return Params>::type},
#include "causal/RuntimeABI.def"
};

struct Variable {
  StringLiteral Name;
  Type *(*Type)(LLVMContext &);
};

const Variable ThreadLocals[] = {
#define CAUSAL_THREAD_LOCAL(Type, Name) {#Name, scalarType<Type>},
#include "causal/RuntimeABI.def"
};

const causal::SyncFunction SyncFunctions[] = {
#define CAUSAL_SYNC(Return, Name, Params)                                                          \
  {#Name, "__causal_" #Name, Signature<Return Params>::matches},
#include "causal/RuntimeABI.def"
};

} // namespace

StringRef causal::nameOf(Entry Which) { return Entries[size_t(Which)].Name; }

FunctionCallee causal::declareEntry(Module &M, Entry Which) {
  const EntryPoint &E = Entries[size_t(Which)];
  return M.getOrInsertFunction(E.Name, E.Type(M.getContext()));
}

GlobalVariable *causal::declareThreadLocal(Module &M, ThreadLocal Which) {
  const Variable &V = ThreadLocals[size_t(Which)];
  Type *T = V.Type(M.getContext());
  return cast<GlobalVariable>(M.getOrInsertGlobal(V.Name, T, [&] {
    return new GlobalVariable(M, T, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                              /*Initializer=*/nullptr, V.Name, /*InsertBefore=*/nullptr,
                              GlobalValue::InitialExecTLSModel);
  }));
}

bool causal::isCallOf(const Instruction *I, Entry Which) {
  auto *Call = dyn_cast_or_null<CallInst>(I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == nameOf(Which);
}

StringRef causal::versionSuffix() {
  StringRef Check = nameOf(Entry::__causal_version_mismatch_check_v2);
  return Check.substr(Check.rfind("_v"));
}

ArrayRef<causal::SyncFunction> causal::syncFunctions() { return SyncFunctions; }
