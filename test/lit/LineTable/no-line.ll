; Instructions without a line are work of their function: of its next line in the block, or
; the last one, or that of the function. At the top of a block one without a location is of
; what comes next there. None is charged to the caller.
; RUN: llc -load=%libdir/CausalPass.so -filetype=obj -relocation-model=pic %s -o %t.o
; RUN: %clang -c %stub_runtime -o %t.stub.o
; RUN: %clang -fuse-ld=lld -shared %t.o %t.stub.o -o %t.so && %linemap_dump %t.so | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

; The first store is of line 0: of line 12, which comes next; the last one of 13.
; CHECK:      size {{.*}} next_and_last
; CHECK-NEXT: +0x0 /d/a.c:12 next_and_last
; CHECK-NEXT: +{{.*}}a.c:13 next_and_last
; CHECK-NOT:  +
define void @next_and_last(ptr %p) !dbg !4 {
  store volatile i32 0, ptr %p, !dbg !40
  store volatile i32 1, ptr %p, !dbg !41
  store volatile i32 2, ptr %p, !dbg !42
  store volatile i32 3, ptr %p, !dbg !40
  ret void, !dbg !40
}

; CHECK:      size {{.*}} none
; CHECK-NEXT: +0x0 /d/a.c:20 none
; CHECK-NOT:  +
define void @none(ptr %p) !dbg !5 {
  store volatile i32 0, ptr %p, !dbg !50
  ret void, !dbg !50
}

; What is inlined stays in the inlined function, and a call of line 0 in its caller.
; CHECK:      size {{.*}} caller
; CHECK:      +{{.*}}a.c:31 caller
; CHECK-NEXT: +{{.*}}a.c:20 none < {{.*}}a.c:32 caller
; CHECK-NEXT: +{{.*}}a.c:33 caller
; CHECK-NEXT: +{{.*}}a.c:21 none < {{.*}}a.c:30 caller
define void @caller(ptr %p) !dbg !6 {
  store volatile i32 0, ptr %p, !dbg !60
  store volatile i32 1, ptr %p, !dbg !61
  store volatile i32 2, ptr %p, !dbg !63
  store volatile i32 3, ptr %p, !dbg !64
  ret void, !dbg !64
}

; CHECK:      size {{.*}} blocks
; CHECK:      +{{.*}}a.c:41 blocks
; CHECK-NEXT: +{{.*}}a.c:43 blocks
; CHECK-NOT:  a.c:0
define void @blocks(ptr %p, i1 %c) !dbg !7 {
  store volatile i32 0, ptr %p, !dbg !70
  br i1 %c, label %then, label %end, !dbg !70
then:
  store volatile i32 1, ptr %p
  store volatile i32 2, ptr %p, !dbg !71
  br label %end, !dbg !71
end:
  ret void, !dbg !71
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: NoDebug)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "next_and_last", file: !1, line: 10, scopeLine: 10, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "none", file: !1, line: 20, scopeLine: 20, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "caller", file: !1, line: 30, scopeLine: 30, unit: !0, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "blocks", file: !1, line: 40, scopeLine: 40, unit: !0, spFlags: DISPFlagDefinition)
!40 = !DILocation(line: 0, scope: !4)
!41 = !DILocation(line: 12, scope: !4)
!42 = !DILocation(line: 13, scope: !4)
!50 = !DILocation(line: 0, scope: !5)
!60 = !DILocation(line: 31, scope: !6)
!61 = !DILocation(line: 0, scope: !5, inlinedAt: !62)
!62 = distinct !DILocation(line: 32, scope: !6)
!63 = !DILocation(line: 33, scope: !6)
!64 = !DILocation(line: 21, scope: !5, inlinedAt: !65)
!65 = distinct !DILocation(line: 0, scope: !6)
!70 = !DILocation(line: 41, scope: !7)
!71 = !DILocation(line: 43, scope: !7)
