; A loop's node loses its locations; a node with nothing else goes altogether, and
; latches that shared a node still share one.
; RUN: %opt_causal -passes=causal-strip-loop-locs -S %s | FileCheck %s
define void @f(i1 %c) !dbg !3 {
  br label %a
a:
; CHECK: br i1 %c, label %a, label %b{{$}}
  br i1 %c, label %a, label %b, !llvm.loop !5
b:
; CHECK: br i1 %c, label %b, label %l, !llvm.loop ![[UNROLL:[0-9]+]]
  br i1 %c, label %b, label %l, !llvm.loop !7
l:
; CHECK: br i1 %c, label %l, label %m, !llvm.loop ![[UNROLL]]
  br i1 %c, label %l, label %m, !llvm.loop !7
m:
; CHECK: br i1 %c, label %m, label %d, !llvm.loop ![[KEPT:[0-9]+]]
  br i1 %c, label %m, label %d, !llvm.loop !9
d:
  ret void
}
; CHECK: ![[UNROLL]] = distinct !{![[UNROLL]], ![[MUST:[0-9]+]]}
; CHECK: ![[MUST]] = !{!"llvm.loop.mustprogress"}
; CHECK: ![[KEPT]] = distinct !{![[KEPT]], ![[MUST]]}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: NoDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DILocation(line: 2, scope: !3)
!5 = distinct !{!5, !4, !6}
!6 = !DILocation(line: 3, scope: !3)
!7 = distinct !{!7, !4, !6, !8}
!8 = !{!"llvm.loop.mustprogress"}
!9 = distinct !{!9, !8}
