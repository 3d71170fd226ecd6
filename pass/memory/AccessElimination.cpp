//===- AccessElimination.cpp - Accesses that need no check ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the tree of blocks with a single predecessor, as EarlyCSE walks the dominator
// tree: one table, whose changes are taken back when a block's subtree is done. A
// generation number stands for the stretch between two synchronisations.
//
//===----------------------------------------------------------------------===//
#include "memory/AccessElimination.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace causal {
namespace {

using Key = std::pair<Value *, uint64_t>;

struct Standing {
  unsigned Index;      ///< The access that stands for later ones.
  unsigned Generation; ///< When it was made.
};

class DominatedAccesses {
public:
  DominatedAccesses(std::vector<MemoryAccess> &Accesses, const AccessIndex &Index)
      : Accesses(Accesses), Index(Index) {}

  void walk(Function &F) {
    DenseMap<BasicBlock *, SmallVector<BasicBlock *, 2>> Children;
    SmallVector<BasicBlock *, 16> Roots;
    for (BasicBlock &BB : F) {
      BasicBlock *P = BB.getSinglePredecessor();
      if (P && P != &BB)
        Children[P].push_back(&BB);
      else
        Roots.push_back(&BB);
    }
    for (BasicBlock *Root : Roots)
      walkTree(Root, Children);
  }

private:
  struct Change {
    Key K;
    std::optional<Standing> Before;
  };
  struct Step {
    BasicBlock *BB;
    unsigned Generation; ///< At its begin; at its end once it is visited.
    size_t Changes;      ///< How many there were before it.
    unsigned NextChild;
    bool Visited;
  };

  void walkTree(BasicBlock *Root, DenseMap<BasicBlock *, SmallVector<BasicBlock *, 2>> &Children) {
    SmallVector<Step, 16> Stack{{Root, ++LastGeneration, Log.size(), 0, false}};
    while (!Stack.empty()) {
      Step &S = Stack.back();
      if (!S.Visited) {
        S.Visited = true;
        S.Generation = visit(*S.BB, S.Generation);
      }
      auto It = Children.find(S.BB);
      if (It != Children.end() && S.NextChild < It->second.size()) {
        BasicBlock *Child = It->second[S.NextChild++];
        Stack.push_back({Child, S.Generation, Log.size(), 0, false});
        continue;
      }
      undo(S.Changes);
      Stack.pop_back();
    }
  }

  void undo(size_t Size) {
    while (Log.size() > Size) {
      Change C = Log.pop_back_val();
      if (C.Before)
        Available[C.K] = *C.Before;
      else
        Available.erase(C.K);
    }
  }

  void stand(const Key &K, unsigned I, unsigned Generation) {
    auto It = Available.find(K);
    Log.push_back({K, It == Available.end() ? std::nullopt : std::optional(It->second)});
    Available[K] = {I, Generation};
  }

  /// Returns the generation at the end of the block.
  unsigned visit(BasicBlock &BB, unsigned Generation) {
    for (Instruction &I : BB) {
      if (maySynchronise(I)) {
        Generation = ++LastGeneration;
        continue;
      }
      auto Found = Index.find(&I);
      if (Found == Index.end())
        continue;
      unsigned Which = Found->second;
      MemoryAccess &A = Accesses[Which];
      Key K{A.Pointer, A.Size};
      auto It = Available.find(K);
      MemoryAccess *Before = nullptr;
      if (It != Available.end() && It->second.Generation == Generation)
        Before = &Accesses[It->second.Index];
      if (A.Kind == AccessKind::Read) {
        if (Before)
          A.Dropped = true;
        else
          stand(K, Which, Generation);
      } else if (Before && Before->Kind != AccessKind::Read) {
        A.Dropped = true;
      } else if (Before && Before->I->getParent() == &BB) {
        Before->Kind = AccessKind::Modify;
        A.Dropped = true;
      } else {
        stand(K, Which, Generation);
      }
    }
    return Generation;
  }

  std::vector<MemoryAccess> &Accesses;
  const AccessIndex &Index;
  DenseMap<Key, Standing> Available;
  SmallVector<Change, 64> Log;
  unsigned LastGeneration = 0;
};

} // namespace

void eliminateDominated(Function &F, std::vector<MemoryAccess> &Accesses,
                        const AccessIndex &Index) {
  DominatedAccesses(Accesses, Index).walk(F);
}

} // namespace causal
