; The rows of a function as assembly: line steps, an inlined call that restarts from its
; function's line, an instruction of line 0 with the line of its scope that is nearest, and
; the terminator.
; RUN: llc -load=%libdir/CausalPass.so %s -o - | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; CHECK: .section causal_ln,"ao",@progbits,.text
; CHECK: .byte 1
; CHECK: .long .Lcausal_string0-.Lcausal_table
; CHECK-NEXT: .byte 2
; CHECK: .long .Lcausal_string1-.Lcausal_table
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 10
; CHECK: .long .Lcausal_string2-.Lcausal_table
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 20
; Two scopes: f; g, inlined into the one before, 2 lines after f's start.
; CHECK-NEXT: .byte 2
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 0
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .byte 4
; Line 10 + 1; then scope +1, line 20 + 1; then scope -1, line 10 + 1; the end.
; CHECK-NEXT: .uleb128 .Lcausal_line1-.Lcausal_line0
; CHECK-NEXT: .byte 6
; CHECK-NEXT: .uleb128 .Lcausal_line2-.Lcausal_line1
; CHECK-NEXT: .byte 7
; CHECK-NEXT: .byte 2
; CHECK-NEXT: .uleb128 .Lcausal_line3-.Lcausal_line2
; CHECK-NEXT: .byte 7
; CHECK-NEXT: .byte 1
; CHECK-NEXT: .uleb128 .Lcausal_line4-.Lcausal_line3
; CHECK-NEXT: .section causal_fn,"ao",@progbits,.text
; CHECK: .section .causal_str,"aMS",@progbits,1
; CHECK: .ascii "/d/a.c"
; CHECK: .byte 102
; CHECK: .byte 103
define void @f(ptr %p) !dbg !4 {
  store volatile i32 1, ptr %p, !dbg !6
  store volatile i32 2, ptr %p, !dbg !7
  store volatile i32 3, ptr %p, !dbg !9
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: NoDebug)
!1 = !DIFile(filename: "./x/../a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 10, scopeLine: 10, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "g", file: !1, line: 20, scopeLine: 20, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 11, scope: !4)
!7 = !DILocation(line: 21, scope: !5, inlinedAt: !8)
!8 = distinct !DILocation(line: 12, scope: !4)
!9 = !DILocation(line: 0, scope: !4)
