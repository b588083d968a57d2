/* What decompiler output needs to compile: the macros, types and functions that IDA, Ghidra, angr
 * and flatline write as if C had them. For gcc (11 or newer, -std=gnu11) on x86-64:
 *
 *     gcc -include shim.h -fsyntax-only output.c
 *
 * Macros of parts (LOBYTE, BYTE1, ...) are lvalues, as in IDA. Every macro evaluates its arguments
 * once. Types of flatline count bytes: int8 has 64 bits. Included are only headers that gcc itself
 * brings (stdarg, stdbool, stddef, stdint, limits, float, smmintrin); the C library's functions are
 * declared here, so that raw output compiles, with the types that its own headers give them: these
 * may be included too. Define SK2D_SHIM_NO_LIBC to leave them out.
 */
#ifndef SK2D_SHIM_H
#define SK2D_SHIM_H

#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__x86_64__) || defined(__i386__)
#pragma GCC target("sse4.2")
#include <smmintrin.h>
#endif

/* ---- Inner types; they may alias anything, as the memory accesses of a binary do ---- */

#define SK2D_ALIAS __attribute__((may_alias))
typedef unsigned char sk2d_u1 SK2D_ALIAS;
typedef unsigned short sk2d_u2 SK2D_ALIAS;
typedef unsigned int sk2d_u4 SK2D_ALIAS;
typedef unsigned long long sk2d_u8 SK2D_ALIAS;
typedef unsigned __int128 sk2d_u16 SK2D_ALIAS;
typedef signed char sk2d_s1 SK2D_ALIAS;
typedef short sk2d_s2 SK2D_ALIAS;
typedef int sk2d_s4 SK2D_ALIAS;
typedef long long sk2d_s8 SK2D_ALIAS;
typedef __int128 sk2d_s16 SK2D_ALIAS;
#define SK2D_INLINE static inline __attribute__((unused, always_inline))

/* ---- Types ---- */

/* IDA. Macros where `unsigned` may stand before them. */
#define __int8 char
#define __int16 short
#define __int32 int
#define __int64 long long
typedef sk2d_u1 _BYTE;
typedef sk2d_u2 _WORD;
typedef sk2d_u4 _DWORD;
typedef sk2d_u8 _QWORD;
typedef sk2d_u16 _OWORD;
typedef long double _TBYTE;
typedef bool _BOOL1;
typedef short _BOOL2;
typedef int _BOOL4;
typedef long long _BOOL8;
typedef char _UNKNOWN;
typedef va_list gcc_va_list;
typedef __typeof__(((__builtin_va_list *)0)[0][0]) __va_list_tag;

/* Ghidra. Widths that C lacks have the next wider type; CONCATxy, SUBxy and PIECE count exactly. */
typedef sk2d_u1 undefined;
typedef sk2d_u1 undefined1;
typedef sk2d_u2 undefined2;
typedef sk2d_u4 undefined3;
typedef sk2d_u4 undefined4;
typedef sk2d_u8 undefined5;
typedef sk2d_u8 undefined6;
typedef sk2d_u8 undefined7;
typedef sk2d_u8 undefined8;
typedef sk2d_u16 undefined9;
typedef long double undefined10;
typedef sk2d_u16 undefined12;
typedef sk2d_u16 undefined16;
typedef long double unkbyte10;
typedef long double float10;
typedef unsigned char byte;
typedef signed char sbyte;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long long longlong;
typedef unsigned long long ulonglong;
typedef unsigned short wchar16;
typedef unsigned int wchar32;
typedef int int3;
typedef long long int5;
typedef long long int6;
typedef long long int7;
typedef unsigned int uint3;
typedef unsigned long long uint5;
typedef unsigned long long uint6;
typedef unsigned long long uint7;
/* A function of which nothing is known. */
typedef unsigned long code();

/* Flatline: N counts bytes. What it knows no sign of, it compares without a cast: signed. */
typedef signed char int1;
typedef short int2;
typedef int int4;
typedef long int8;
typedef __int128 int16;
typedef unsigned char uint1;
typedef unsigned short uint2;
typedef unsigned int uint4;
typedef unsigned long uint8;
typedef unsigned __int128 uint16;
typedef float float4;
typedef double float8;
typedef sk2d_u1 xunknown1;
typedef short xunknown2;
typedef sk2d_u4 xunknown3;
typedef int xunknown4;
typedef sk2d_u8 xunknown5;
typedef sk2d_u8 xunknown6;
typedef sk2d_u8 xunknown7;
typedef long xunknown8;
typedef long double xunknown10;
typedef sk2d_u16 xunknown12;
typedef sk2d_u16 xunknown16;

/* angr */
typedef __int128 int128_t;
typedef unsigned __int128 uint128_t;

/* ---- What is written beside C ---- */

#define __cdecl
#define __fastcall
#define __stdcall
#define __thiscall
#define __usercall
#define __userpurge
#define __vectorcall
#define __pascal
#define __noreturn
#define __pure
#define __hidden
#define __return_ptr
#define __struct_ptr
#define __unaligned
#define __ptr32
#define __ptr64
#define __declspec(x)
#define __shifted(type, offset)

/* ---- Values as bits ---- */

/* The bytes of any value, without and with the sign of its type. */
SK2D_INLINE sk2d_u16 sk2d_raw(const void *value, size_t size)
{
  sk2d_u16 bits = 0;
  __builtin_memcpy(&bits, value, size < sizeof bits ? size : sizeof bits);
  return bits;
}
SK2D_INLINE sk2d_u16 sk2d_extended(sk2d_u16 bits, size_t size)
{
  int rest = size < sizeof bits ? 128 - 8 * (int)size : 0;
  return (sk2d_u16)((sk2d_s16)(bits << rest) >> rest);
}
#define SK2D_SIGNED(v)                                                                       \
  _Generic((v), char: 1, signed char: 1, short: 1, int: 1, long: 1, long long: 1, __int128: 1, \
      default: 0)
/* The comma makes a value of any expression: an array decays, a bit-field loses its width. */
#define SK2D_RAW(x)                                              \
  __extension__({                                                \
    __auto_type sk2d_v = ((void)0, (x));                         \
    sk2d_raw(&sk2d_v, sizeof sk2d_v);                            \
  })
#define SK2D_BITS(x)                                             \
  __extension__({                                                \
    __auto_type sk2d_v = ((void)0, (x));                         \
    sk2d_u16 sk2d_b = sk2d_raw(&sk2d_v, sizeof sk2d_v);          \
    SK2D_SIGNED(sk2d_v) ? sk2d_extended(sk2d_b, sizeof sk2d_v) : sk2d_b; \
  })
#define SK2D_MASK(bytes) (~(sk2d_u16)0 >> (128 - 8 * (bytes)))
/* A value read as another type of the same size. */
#define SK2D_AS(type, x)                                         \
  __extension__({                                                \
    sk2d_u16 sk2d_b = SK2D_RAW(x);                               \
    type sk2d_t;                                                 \
    __builtin_memcpy(&sk2d_t, &sk2d_b, sizeof sk2d_t);           \
    sk2d_t;                                                      \
  })

/* ---- IDA: parts of a variable, assignable ---- */

#define SK2D_PART(type, x, n) (*((type *)&(x) + (n)))
#define SK2D_LAST(type, x) (*((type *)(&(x) + 1) - 1))
#define LOBYTE(x) SK2D_PART(sk2d_u1, x, 0)
#define LOWORD(x) SK2D_PART(sk2d_u2, x, 0)
#define LODWORD(x) SK2D_PART(sk2d_u4, x, 0)
#define LOQWORD(x) SK2D_PART(sk2d_u8, x, 0)
#define HIBYTE(x) SK2D_LAST(sk2d_u1, x)
#define HIWORD(x) SK2D_LAST(sk2d_u2, x)
#define HIDWORD(x) SK2D_LAST(sk2d_u4, x)
#define HIQWORD(x) SK2D_LAST(sk2d_u8, x)
#define SLOBYTE(x) SK2D_PART(sk2d_s1, x, 0)
#define SLOWORD(x) SK2D_PART(sk2d_s2, x, 0)
#define SLODWORD(x) SK2D_PART(sk2d_s4, x, 0)
#define SLOQWORD(x) SK2D_PART(sk2d_s8, x, 0)
#define SHIBYTE(x) SK2D_LAST(sk2d_s1, x)
#define SHIWORD(x) SK2D_LAST(sk2d_s2, x)
#define SHIDWORD(x) SK2D_LAST(sk2d_s4, x)
#define SHIQWORD(x) SK2D_LAST(sk2d_s8, x)
#define BYTEn(x, n) SK2D_PART(sk2d_u1, x, n)
#define WORDn(x, n) SK2D_PART(sk2d_u2, x, n)
#define DWORDn(x, n) SK2D_PART(sk2d_u4, x, n)
#define QWORDn(x, n) SK2D_PART(sk2d_u8, x, n)
#define SBYTEn(x, n) SK2D_PART(sk2d_s1, x, n)
#define SWORDn(x, n) SK2D_PART(sk2d_s2, x, n)
#define SDWORDn(x, n) SK2D_PART(sk2d_s4, x, n)

/* ---- IDA: two halves of a value ---- */

#define SK2D_PAIR(type, bits, high, low) \
  ((type)(SK2D_BITS(high) << (bits) | (SK2D_BITS(low) & SK2D_MASK((bits) / 8))))
#define __PAIR16__(high, low) SK2D_PAIR(unsigned short, 8, high, low)
#define __PAIR32__(high, low) SK2D_PAIR(unsigned int, 16, high, low)
#define __PAIR64__(high, low) SK2D_PAIR(unsigned long long, 32, high, low)
#define __PAIR128__(high, low) SK2D_PAIR(unsigned __int128, 64, high, low)
#define __SPAIR16__(high, low) SK2D_PAIR(short, 8, high, low)
#define __SPAIR32__(high, low) SK2D_PAIR(int, 16, high, low)
#define __SPAIR64__(high, low) SK2D_PAIR(long long, 32, high, low)
#define __SPAIR128__(high, low) SK2D_PAIR(__int128, 64, high, low)

/* ---- IDA: the bits of a value as another type ---- */

#define COERCE_FLOAT(x) SK2D_AS(float, x)
#define COERCE_DOUBLE(x) SK2D_AS(double, x)
#define COERCE_LONG_DOUBLE(x) SK2D_AS(long double, x)
#define COERCE_UNSIGNED_INT(x) SK2D_AS(unsigned int, x)
#define COERCE_UNSIGNED_INT64(x) SK2D_AS(unsigned long long, x)

/* ---- IDA: rotations ---- */

#define SK2D_ROTATIONS(n)                                                                  \
  SK2D_INLINE sk2d_u##n __ROL##n##__(sk2d_u##n value, int count)                           \
  {                                                                                        \
    unsigned left = (unsigned)count & (8 * n - 1), right = (0u - left) & (8 * n - 1);      \
    return (sk2d_u##n)(value << left | value >> right);                                    \
  }                                                                                        \
  SK2D_INLINE sk2d_u##n __ROR##n##__(sk2d_u##n value, int count)                           \
  {                                                                                        \
    return __ROL##n##__(value, -count);                                                    \
  }
SK2D_ROTATIONS(1)
SK2D_ROTATIONS(2)
SK2D_ROTATIONS(4)
SK2D_ROTATIONS(8)
SK2D_ROTATIONS(16)
/* angr names no width: it is that of the value. */
#define __ROL__(value, count)                                                    \
  __extension__({                                                                \
    __auto_type sk2d_v = ((void)0, (value));                                     \
    (__typeof__(sk2d_v))sk2d_rotated(sk2d_raw(&sk2d_v, sizeof sk2d_v),           \
                                     sizeof sk2d_v, (int)(count));               \
  })
#define __ROR__(value, count) __ROL__(value, -(int)(count))
SK2D_INLINE sk2d_u16 sk2d_rotated(sk2d_u16 bits, size_t size, int count)
{
  unsigned width = 8 * (unsigned)size, left = (unsigned)count & (width - 1);
  return left ? bits << left | bits >> (width - left) : bits;
}

/* ---- IDA: flags of the processor; the operation is as wide as its wider operand ---- */

#define SK2D_WIDER(x, y) (sizeof((void)0, (x)) > sizeof((void)0, (y)) ? sizeof((void)0, (x)) : sizeof((void)0, (y)))
SK2D_INLINE bool sk2d_carries(sk2d_u16 x, sk2d_u16 y, size_t size)
{
  sk2d_u16 mask = SK2D_MASK((int)size);
  return ((x & mask) + (y & mask)) >> 1 >> (8 * (int)size - 1) & 1;
}
SK2D_INLINE bool sk2d_borrows(sk2d_u16 x, sk2d_u16 y, size_t size)
{
  return (x & SK2D_MASK((int)size)) < (y & SK2D_MASK((int)size));
}
SK2D_INLINE bool sk2d_overflows(sk2d_u16 sum, size_t size)
{
  return sk2d_extended(sum, size) != sum;
}
#define SK2D_SIGN(x, size) sk2d_extended(SK2D_BITS(x), size)
#define __CFADD__(x, y) sk2d_carries(SK2D_BITS(x), SK2D_BITS(y), SK2D_WIDER(x, y))
#define __CFSUB__(x, y) sk2d_borrows(SK2D_BITS(x), SK2D_BITS(y), SK2D_WIDER(x, y))
#define __OFADD__(x, y)                                                              \
  sk2d_overflows(SK2D_SIGN(x, SK2D_WIDER(x, y)) + SK2D_SIGN(y, SK2D_WIDER(x, y)), SK2D_WIDER(x, y))
#define __OFSUB__(x, y)                                                              \
  sk2d_overflows(SK2D_SIGN(x, SK2D_WIDER(x, y)) - SK2D_SIGN(y, SK2D_WIDER(x, y)), SK2D_WIDER(x, y))
#define __OFMUL__(x, y)                                                              \
  sk2d_overflows(SK2D_SIGN(x, SK2D_WIDER(x, y)) * SK2D_SIGN(y, SK2D_WIDER(x, y)), SK2D_WIDER(x, y))
#define __CFSHL__(x, count) ((bool)(SK2D_RAW(x) >> (8 * sizeof((void)0, (x)) - (count)) & 1))
#define __CFSHR__(x, count) ((bool)(SK2D_RAW(x) >> ((count) - 1) & 1))
#define __SETS__(x) ((bool)(SK2D_RAW(x) >> (8 * sizeof((void)0, (x)) - 1) & 1))
#define __SETP__(x, y) ((bool)!__builtin_parity((unsigned)(SK2D_BITS(x) - SK2D_BITS(y)) & 255))
#define is_mul_ok(x, y)                                          \
  __extension__({                                                \
    __auto_type sk2d_x = (x);                                    \
    __typeof__(sk2d_x) sk2d_r;                                   \
    !__builtin_mul_overflow(sk2d_x, (y), &sk2d_r);               \
  })
#define is_add_ok(x, y)                                          \
  __extension__({                                                \
    __auto_type sk2d_x = (x);                                    \
    __typeof__(sk2d_x) sk2d_r;                                   \
    !__builtin_add_overflow(sk2d_x, (y), &sk2d_r);               \
  })
#define saturated_mul(x, y)                                      \
  __extension__({                                                \
    __auto_type sk2d_x = (x);                                    \
    __typeof__(sk2d_x) sk2d_r;                                   \
    __builtin_mul_overflow(sk2d_x, (y), &sk2d_r) ? (__typeof__(sk2d_x))-1 : sk2d_r; \
  })

/* ---- IDA and Microsoft: single functions ---- */

SK2D_INLINE signed char abs8(signed char x) { return (signed char)(x < 0 ? -x : x); }
SK2D_INLINE short abs16(short x) { return (short)(x < 0 ? -x : x); }
SK2D_INLINE int abs32(int x) { return x < 0 ? -x : x; }
SK2D_INLINE long long abs64(long long x) { return x < 0 ? -x : x; }
SK2D_INLINE __int128 abs128(__int128 x) { return x < 0 ? -x : x; }
SK2D_INLINE unsigned short _byteswap_ushort(unsigned short x) { return __builtin_bswap16(x); }
SK2D_INLINE unsigned int _byteswap_ulong(unsigned int x) { return __builtin_bswap32(x); }
SK2D_INLINE unsigned long long _byteswap_uint64(unsigned long long x)
{
  return __builtin_bswap64(x);
}
/* The bit is counted from the address: it may lie in a later word. */
SK2D_INLINE unsigned char _bittest(const void *words, int bit)
{
  return (unsigned char)(((const sk2d_u4 *)words)[bit >> 5] >> (bit & 31) & 1);
}
SK2D_INLINE unsigned char _bittest64(const void *words, long long bit)
{
  return (unsigned char)(((const sk2d_u8 *)words)[bit >> 6] >> (bit & 63) & 1);
}
SK2D_INLINE unsigned char _bittestandset(void *words, int bit)
{
  unsigned char before = _bittest(words, bit);
  ((sk2d_u4 *)words)[bit >> 5] |= 1u << (bit & 31);
  return before;
}
SK2D_INLINE unsigned char _bittestandreset(void *words, int bit)
{
  unsigned char before = _bittest(words, bit);
  ((sk2d_u4 *)words)[bit >> 5] &= ~(1u << (bit & 31));
  return before;
}
SK2D_INLINE unsigned char _bittestandcomplement(void *words, int bit)
{
  unsigned char before = _bittest(words, bit);
  ((sk2d_u4 *)words)[bit >> 5] ^= 1u << (bit & 31);
  return before;
}
SK2D_INLINE unsigned char _bittestandset64(void *words, long long bit)
{
  unsigned char before = _bittest64(words, bit);
  ((sk2d_u8 *)words)[bit >> 6] |= 1ull << (bit & 63);
  return before;
}
SK2D_INLINE unsigned char _bittestandreset64(void *words, long long bit)
{
  unsigned char before = _bittest64(words, bit);
  ((sk2d_u8 *)words)[bit >> 6] &= ~(1ull << (bit & 63));
  return before;
}
SK2D_INLINE unsigned char _bittestandcomplement64(void *words, long long bit)
{
  unsigned char before = _bittest64(words, bit);
  ((sk2d_u8 *)words)[bit >> 6] ^= 1ull << (bit & 63);
  return before;
}
SK2D_INLINE unsigned char _BitScanForward(void *index, unsigned int x)
{
  if (x)
    *(sk2d_u4 *)index = (unsigned)__builtin_ctz(x);
  return x != 0;
}
SK2D_INLINE unsigned char _BitScanReverse(void *index, unsigned int x)
{
  if (x)
    *(sk2d_u4 *)index = 31u - (unsigned)__builtin_clz(x);
  return x != 0;
}
SK2D_INLINE unsigned char _BitScanForward64(void *index, unsigned long long x)
{
  if (x)
    *(sk2d_u4 *)index = (unsigned)__builtin_ctzll(x);
  return x != 0;
}
SK2D_INLINE unsigned char _BitScanReverse64(void *index, unsigned long long x)
{
  if (x)
    *(sk2d_u4 *)index = 63u - (unsigned)__builtin_clzll(x);
  return x != 0;
}
SK2D_INLINE long long _popcountdi2(unsigned long long x) { return __builtin_popcountll(x); }
#define qmemcpy(to, from, bytes) __builtin_memcpy((void *)(to), (const void *)(from), (bytes))
SK2D_INLINE void *memset16(void *to, int value, size_t count)
{
  for (size_t i = 0; i < count; i++)
    ((sk2d_u2 *)to)[i] = (unsigned short)value;
  return to;
}
SK2D_INLINE void *memset32(void *to, int value, size_t count)
{
  for (size_t i = 0; i < count; i++)
    ((sk2d_u4 *)to)[i] = (unsigned)value;
  return to;
}
SK2D_INLINE void *memset64(void *to, long long value, size_t count)
{
  for (size_t i = 0; i < count; i++)
    ((sk2d_u8 *)to)[i] = (unsigned long long)value;
  return to;
}

/* ---- Thread's own memory, traps, what could not be decompiled ---- */

#define SK2D_THREAD(type, offset) \
  (*(volatile type *)((char *)__builtin_thread_pointer() + (long)(offset)))
#define __readfsbyte(offset) SK2D_THREAD(sk2d_u1, offset)
#define __readfsword(offset) SK2D_THREAD(sk2d_u2, offset)
#define __readfsdword(offset) SK2D_THREAD(sk2d_u4, offset)
#define __readfsqword(offset) SK2D_THREAD(sk2d_u8, offset)
#define __writefsbyte(offset, x) ((void)(SK2D_THREAD(sk2d_u1, offset) = (sk2d_u1)(x)))
#define __writefsword(offset, x) ((void)(SK2D_THREAD(sk2d_u2, offset) = (sk2d_u2)(x)))
#define __writefsdword(offset, x) ((void)(SK2D_THREAD(sk2d_u4, offset) = (sk2d_u4)(x)))
#define __writefsqword(offset, x) ((void)(SK2D_THREAD(sk2d_u8, offset) = (sk2d_u8)(x)))
#define __readgsbyte(offset) __readfsbyte(offset)
#define __readgsword(offset) __readfsword(offset)
#define __readgsdword(offset) __readfsdword(offset)
#define __readgsqword(offset) __readfsqword(offset)
/* Ghidra reads it without ever setting it: each use sets it first, its declaration included. */
static unsigned long in_FS_OFFSET __attribute__((unused));
#define in_FS_OFFSET in_FS_OFFSET = (unsigned long)__builtin_thread_pointer()
#define BUG() __builtin_trap()
#define JUMPOUT(address) __builtin_trap()
#define MEMORY ((sk2d_u1 *)0)
#define BADSPBASE 0
#define __debugbreak() __builtin_trap()
#define __break(code) __builtin_trap()
#define __fastfail(code) __builtin_trap()
#define __halt() __builtin_trap()
#define __ud2() __builtin_trap()
#define halt_baddata() __builtin_trap()
#define halt_unimplemented() __builtin_trap()
#define LOCK() ((void)0)
#define UNLOCK() ((void)0)
SK2D_INLINE code *swi(int number)
{
  (void)number;
  __builtin_trap();
}

/* ---- Ghidra: pieces, joins, extensions of x to y bytes ---- */

#define SK2D_PIECES(n, type)                                     \
  struct __attribute__((packed, may_alias)) sk2d_piece##n { type value : 8 * n; }
SK2D_PIECES(1, unsigned char);
SK2D_PIECES(2, unsigned short);
SK2D_PIECES(3, unsigned int);
SK2D_PIECES(4, unsigned int);
SK2D_PIECES(5, unsigned long long);
SK2D_PIECES(6, unsigned long long);
SK2D_PIECES(7, unsigned long long);
SK2D_PIECES(8, unsigned long long);
SK2D_PIECES(9, unsigned __int128);
SK2D_PIECES(10, unsigned __int128);
SK2D_PIECES(11, unsigned __int128);
SK2D_PIECES(12, unsigned __int128);
SK2D_PIECES(13, unsigned __int128);
SK2D_PIECES(14, unsigned __int128);
SK2D_PIECES(15, unsigned __int128);
SK2D_PIECES(16, unsigned __int128);
/* Bytes of a variable as Ghidra's v._4_3_ means them, assignable: PIECE(v, 4, 3). */
#define PIECE(variable, offset, bytes) \
  (((struct sk2d_piece##bytes *)((char *)&(variable) + (offset)))->value)

#define SK2D_CONCAT(type, x, y, high, low) \
  ((type)((SK2D_BITS(high) << (8 * (y)) | (SK2D_BITS(low) & SK2D_MASK(y))) & SK2D_MASK((x) + (y))))
#define SK2D_SUB(type, y, value, drop) ((type)(SK2D_BITS(value) >> (8 * (drop)) & SK2D_MASK(y)))
#define SK2D_ZEXT(type, x, value) ((type)(SK2D_BITS(value) & SK2D_MASK(x)))
#define SK2D_SEXT(type, x, value) ((type)sk2d_extended(SK2D_BITS(value), x))
/* Overflow of an operation on two values of one width. */
#define SK2D_FLAG(operation, type, a, b)                         \
  __extension__({                                                \
    type sk2d_r;                                                 \
    __builtin_##operation##_overflow((type)(a), (type)(b), &sk2d_r); \
  })
/* families: python -m sk2d.c.normalization.families */
#define CONCAT11(h, l) SK2D_CONCAT(uint16_t, 1, 1, h, l)
#define CONCAT12(h, l) SK2D_CONCAT(uint32_t, 1, 2, h, l)
#define CONCAT13(h, l) SK2D_CONCAT(uint32_t, 1, 3, h, l)
#define CONCAT14(h, l) SK2D_CONCAT(uint64_t, 1, 4, h, l)
#define CONCAT15(h, l) SK2D_CONCAT(uint64_t, 1, 5, h, l)
#define CONCAT16(h, l) SK2D_CONCAT(uint64_t, 1, 6, h, l)
#define CONCAT17(h, l) SK2D_CONCAT(uint64_t, 1, 7, h, l)
#define CONCAT18(h, l) SK2D_CONCAT(unsigned __int128, 1, 8, h, l)
#define CONCAT19(h, l) SK2D_CONCAT(unsigned __int128, 1, 9, h, l)
#define CONCAT110(h, l) SK2D_CONCAT(unsigned __int128, 1, 10, h, l)
#define CONCAT111(h, l) SK2D_CONCAT(unsigned __int128, 1, 11, h, l)
#define CONCAT112(h, l) SK2D_CONCAT(unsigned __int128, 1, 12, h, l)
#define CONCAT113(h, l) SK2D_CONCAT(unsigned __int128, 1, 13, h, l)
#define CONCAT114(h, l) SK2D_CONCAT(unsigned __int128, 1, 14, h, l)
#define CONCAT115(h, l) SK2D_CONCAT(unsigned __int128, 1, 15, h, l)
#define CONCAT21(h, l) SK2D_CONCAT(uint32_t, 2, 1, h, l)
#define CONCAT22(h, l) SK2D_CONCAT(uint32_t, 2, 2, h, l)
#define CONCAT23(h, l) SK2D_CONCAT(uint64_t, 2, 3, h, l)
#define CONCAT24(h, l) SK2D_CONCAT(uint64_t, 2, 4, h, l)
#define CONCAT25(h, l) SK2D_CONCAT(uint64_t, 2, 5, h, l)
#define CONCAT26(h, l) SK2D_CONCAT(uint64_t, 2, 6, h, l)
#define CONCAT27(h, l) SK2D_CONCAT(unsigned __int128, 2, 7, h, l)
#define CONCAT28(h, l) SK2D_CONCAT(unsigned __int128, 2, 8, h, l)
#define CONCAT29(h, l) SK2D_CONCAT(unsigned __int128, 2, 9, h, l)
#define CONCAT210(h, l) SK2D_CONCAT(unsigned __int128, 2, 10, h, l)
#define CONCAT211(h, l) SK2D_CONCAT(unsigned __int128, 2, 11, h, l)
#define CONCAT212(h, l) SK2D_CONCAT(unsigned __int128, 2, 12, h, l)
#define CONCAT213(h, l) SK2D_CONCAT(unsigned __int128, 2, 13, h, l)
#define CONCAT214(h, l) SK2D_CONCAT(unsigned __int128, 2, 14, h, l)
#define CONCAT31(h, l) SK2D_CONCAT(uint32_t, 3, 1, h, l)
#define CONCAT32(h, l) SK2D_CONCAT(uint64_t, 3, 2, h, l)
#define CONCAT33(h, l) SK2D_CONCAT(uint64_t, 3, 3, h, l)
#define CONCAT34(h, l) SK2D_CONCAT(uint64_t, 3, 4, h, l)
#define CONCAT35(h, l) SK2D_CONCAT(uint64_t, 3, 5, h, l)
#define CONCAT36(h, l) SK2D_CONCAT(unsigned __int128, 3, 6, h, l)
#define CONCAT37(h, l) SK2D_CONCAT(unsigned __int128, 3, 7, h, l)
#define CONCAT38(h, l) SK2D_CONCAT(unsigned __int128, 3, 8, h, l)
#define CONCAT39(h, l) SK2D_CONCAT(unsigned __int128, 3, 9, h, l)
#define CONCAT310(h, l) SK2D_CONCAT(unsigned __int128, 3, 10, h, l)
#define CONCAT311(h, l) SK2D_CONCAT(unsigned __int128, 3, 11, h, l)
#define CONCAT312(h, l) SK2D_CONCAT(unsigned __int128, 3, 12, h, l)
#define CONCAT313(h, l) SK2D_CONCAT(unsigned __int128, 3, 13, h, l)
#define CONCAT41(h, l) SK2D_CONCAT(uint64_t, 4, 1, h, l)
#define CONCAT42(h, l) SK2D_CONCAT(uint64_t, 4, 2, h, l)
#define CONCAT43(h, l) SK2D_CONCAT(uint64_t, 4, 3, h, l)
#define CONCAT44(h, l) SK2D_CONCAT(uint64_t, 4, 4, h, l)
#define CONCAT45(h, l) SK2D_CONCAT(unsigned __int128, 4, 5, h, l)
#define CONCAT46(h, l) SK2D_CONCAT(unsigned __int128, 4, 6, h, l)
#define CONCAT47(h, l) SK2D_CONCAT(unsigned __int128, 4, 7, h, l)
#define CONCAT48(h, l) SK2D_CONCAT(unsigned __int128, 4, 8, h, l)
#define CONCAT49(h, l) SK2D_CONCAT(unsigned __int128, 4, 9, h, l)
#define CONCAT410(h, l) SK2D_CONCAT(unsigned __int128, 4, 10, h, l)
#define CONCAT411(h, l) SK2D_CONCAT(unsigned __int128, 4, 11, h, l)
#define CONCAT412(h, l) SK2D_CONCAT(unsigned __int128, 4, 12, h, l)
#define CONCAT51(h, l) SK2D_CONCAT(uint64_t, 5, 1, h, l)
#define CONCAT52(h, l) SK2D_CONCAT(uint64_t, 5, 2, h, l)
#define CONCAT53(h, l) SK2D_CONCAT(uint64_t, 5, 3, h, l)
#define CONCAT54(h, l) SK2D_CONCAT(unsigned __int128, 5, 4, h, l)
#define CONCAT55(h, l) SK2D_CONCAT(unsigned __int128, 5, 5, h, l)
#define CONCAT56(h, l) SK2D_CONCAT(unsigned __int128, 5, 6, h, l)
#define CONCAT57(h, l) SK2D_CONCAT(unsigned __int128, 5, 7, h, l)
#define CONCAT58(h, l) SK2D_CONCAT(unsigned __int128, 5, 8, h, l)
#define CONCAT59(h, l) SK2D_CONCAT(unsigned __int128, 5, 9, h, l)
#define CONCAT510(h, l) SK2D_CONCAT(unsigned __int128, 5, 10, h, l)
#define CONCAT511(h, l) SK2D_CONCAT(unsigned __int128, 5, 11, h, l)
#define CONCAT61(h, l) SK2D_CONCAT(uint64_t, 6, 1, h, l)
#define CONCAT62(h, l) SK2D_CONCAT(uint64_t, 6, 2, h, l)
#define CONCAT63(h, l) SK2D_CONCAT(unsigned __int128, 6, 3, h, l)
#define CONCAT64(h, l) SK2D_CONCAT(unsigned __int128, 6, 4, h, l)
#define CONCAT65(h, l) SK2D_CONCAT(unsigned __int128, 6, 5, h, l)
#define CONCAT66(h, l) SK2D_CONCAT(unsigned __int128, 6, 6, h, l)
#define CONCAT67(h, l) SK2D_CONCAT(unsigned __int128, 6, 7, h, l)
#define CONCAT68(h, l) SK2D_CONCAT(unsigned __int128, 6, 8, h, l)
#define CONCAT69(h, l) SK2D_CONCAT(unsigned __int128, 6, 9, h, l)
#define CONCAT610(h, l) SK2D_CONCAT(unsigned __int128, 6, 10, h, l)
#define CONCAT71(h, l) SK2D_CONCAT(uint64_t, 7, 1, h, l)
#define CONCAT72(h, l) SK2D_CONCAT(unsigned __int128, 7, 2, h, l)
#define CONCAT73(h, l) SK2D_CONCAT(unsigned __int128, 7, 3, h, l)
#define CONCAT74(h, l) SK2D_CONCAT(unsigned __int128, 7, 4, h, l)
#define CONCAT75(h, l) SK2D_CONCAT(unsigned __int128, 7, 5, h, l)
#define CONCAT76(h, l) SK2D_CONCAT(unsigned __int128, 7, 6, h, l)
#define CONCAT77(h, l) SK2D_CONCAT(unsigned __int128, 7, 7, h, l)
#define CONCAT78(h, l) SK2D_CONCAT(unsigned __int128, 7, 8, h, l)
#define CONCAT79(h, l) SK2D_CONCAT(unsigned __int128, 7, 9, h, l)
#define CONCAT81(h, l) SK2D_CONCAT(unsigned __int128, 8, 1, h, l)
#define CONCAT82(h, l) SK2D_CONCAT(unsigned __int128, 8, 2, h, l)
#define CONCAT83(h, l) SK2D_CONCAT(unsigned __int128, 8, 3, h, l)
#define CONCAT84(h, l) SK2D_CONCAT(unsigned __int128, 8, 4, h, l)
#define CONCAT85(h, l) SK2D_CONCAT(unsigned __int128, 8, 5, h, l)
#define CONCAT86(h, l) SK2D_CONCAT(unsigned __int128, 8, 6, h, l)
#define CONCAT87(h, l) SK2D_CONCAT(unsigned __int128, 8, 7, h, l)
#define CONCAT88(h, l) SK2D_CONCAT(unsigned __int128, 8, 8, h, l)
#define CONCAT91(h, l) SK2D_CONCAT(unsigned __int128, 9, 1, h, l)
#define CONCAT92(h, l) SK2D_CONCAT(unsigned __int128, 9, 2, h, l)
#define CONCAT93(h, l) SK2D_CONCAT(unsigned __int128, 9, 3, h, l)
#define CONCAT94(h, l) SK2D_CONCAT(unsigned __int128, 9, 4, h, l)
#define CONCAT95(h, l) SK2D_CONCAT(unsigned __int128, 9, 5, h, l)
#define CONCAT96(h, l) SK2D_CONCAT(unsigned __int128, 9, 6, h, l)
#define CONCAT97(h, l) SK2D_CONCAT(unsigned __int128, 9, 7, h, l)
#define CONCAT101(h, l) SK2D_CONCAT(unsigned __int128, 10, 1, h, l)
#define CONCAT102(h, l) SK2D_CONCAT(unsigned __int128, 10, 2, h, l)
#define CONCAT103(h, l) SK2D_CONCAT(unsigned __int128, 10, 3, h, l)
#define CONCAT104(h, l) SK2D_CONCAT(unsigned __int128, 10, 4, h, l)
#define CONCAT105(h, l) SK2D_CONCAT(unsigned __int128, 10, 5, h, l)
#define CONCAT106(h, l) SK2D_CONCAT(unsigned __int128, 10, 6, h, l)
#define CONCAT121(h, l) SK2D_CONCAT(unsigned __int128, 12, 1, h, l)
#define CONCAT122(h, l) SK2D_CONCAT(unsigned __int128, 12, 2, h, l)
#define CONCAT123(h, l) SK2D_CONCAT(unsigned __int128, 12, 3, h, l)
#define CONCAT124(h, l) SK2D_CONCAT(unsigned __int128, 12, 4, h, l)
#define CONCAT131(h, l) SK2D_CONCAT(unsigned __int128, 13, 1, h, l)
#define CONCAT132(h, l) SK2D_CONCAT(unsigned __int128, 13, 2, h, l)
#define CONCAT133(h, l) SK2D_CONCAT(unsigned __int128, 13, 3, h, l)
#define CONCAT141(h, l) SK2D_CONCAT(unsigned __int128, 14, 1, h, l)
#define CONCAT142(h, l) SK2D_CONCAT(unsigned __int128, 14, 2, h, l)
#define CONCAT151(h, l) SK2D_CONCAT(unsigned __int128, 15, 1, h, l)
#define SUB21(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB31(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB32(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB41(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB42(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB43(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB51(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB52(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB53(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB54(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB61(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB62(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB63(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB64(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB65(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB71(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB72(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB73(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB74(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB75(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB76(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB81(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB82(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB83(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB84(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB85(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB86(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB87(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB91(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB92(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB93(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB94(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB95(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB96(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB97(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB98(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB101(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB102(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB103(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB104(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB105(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB106(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB107(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB108(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB109(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB111(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB112(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB113(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB114(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB115(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB116(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB117(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB118(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB119(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1110(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB121(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB122(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB123(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB124(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB125(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB126(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB127(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB128(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB129(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1210(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB1211(v, c) SK2D_SUB(unsigned __int128, 11, v, c)
#define SUB131(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB132(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB133(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB134(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB135(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB136(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB137(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB138(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB139(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1310(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB1311(v, c) SK2D_SUB(unsigned __int128, 11, v, c)
#define SUB1312(v, c) SK2D_SUB(unsigned __int128, 12, v, c)
#define SUB141(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB142(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB143(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB144(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB145(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB146(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB147(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB148(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB149(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1410(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB1411(v, c) SK2D_SUB(unsigned __int128, 11, v, c)
#define SUB1412(v, c) SK2D_SUB(unsigned __int128, 12, v, c)
#define SUB1413(v, c) SK2D_SUB(unsigned __int128, 13, v, c)
#define SUB151(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB152(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB153(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB154(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB155(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB156(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB157(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB158(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB159(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1510(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB1511(v, c) SK2D_SUB(unsigned __int128, 11, v, c)
#define SUB1512(v, c) SK2D_SUB(unsigned __int128, 12, v, c)
#define SUB1513(v, c) SK2D_SUB(unsigned __int128, 13, v, c)
#define SUB1514(v, c) SK2D_SUB(unsigned __int128, 14, v, c)
#define SUB161(v, c) SK2D_SUB(uint8_t, 1, v, c)
#define SUB162(v, c) SK2D_SUB(uint16_t, 2, v, c)
#define SUB163(v, c) SK2D_SUB(uint32_t, 3, v, c)
#define SUB164(v, c) SK2D_SUB(uint32_t, 4, v, c)
#define SUB165(v, c) SK2D_SUB(uint64_t, 5, v, c)
#define SUB166(v, c) SK2D_SUB(uint64_t, 6, v, c)
#define SUB167(v, c) SK2D_SUB(uint64_t, 7, v, c)
#define SUB168(v, c) SK2D_SUB(uint64_t, 8, v, c)
#define SUB169(v, c) SK2D_SUB(unsigned __int128, 9, v, c)
#define SUB1610(v, c) SK2D_SUB(unsigned __int128, 10, v, c)
#define SUB1611(v, c) SK2D_SUB(unsigned __int128, 11, v, c)
#define SUB1612(v, c) SK2D_SUB(unsigned __int128, 12, v, c)
#define SUB1613(v, c) SK2D_SUB(unsigned __int128, 13, v, c)
#define SUB1614(v, c) SK2D_SUB(unsigned __int128, 14, v, c)
#define SUB1615(v, c) SK2D_SUB(unsigned __int128, 15, v, c)
#define ZEXT12(v) SK2D_ZEXT(uint16_t, 1, v)
#define SEXT12(v) SK2D_SEXT(int16_t, 1, v)
#define ZEXT13(v) SK2D_ZEXT(uint32_t, 1, v)
#define SEXT13(v) SK2D_SEXT(int32_t, 1, v)
#define ZEXT14(v) SK2D_ZEXT(uint32_t, 1, v)
#define SEXT14(v) SK2D_SEXT(int32_t, 1, v)
#define ZEXT15(v) SK2D_ZEXT(uint64_t, 1, v)
#define SEXT15(v) SK2D_SEXT(int64_t, 1, v)
#define ZEXT16(v) SK2D_ZEXT(uint64_t, 1, v)
#define SEXT16(v) SK2D_SEXT(int64_t, 1, v)
#define ZEXT17(v) SK2D_ZEXT(uint64_t, 1, v)
#define SEXT17(v) SK2D_SEXT(int64_t, 1, v)
#define ZEXT18(v) SK2D_ZEXT(uint64_t, 1, v)
#define SEXT18(v) SK2D_SEXT(int64_t, 1, v)
#define ZEXT19(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT19(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT110(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT110(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT111(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT111(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT112(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT112(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT113(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT113(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT114(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT114(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT115(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT115(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT116(v) SK2D_ZEXT(unsigned __int128, 1, v)
#define SEXT116(v) SK2D_SEXT(__int128, 1, v)
#define ZEXT23(v) SK2D_ZEXT(uint32_t, 2, v)
#define SEXT23(v) SK2D_SEXT(int32_t, 2, v)
#define ZEXT24(v) SK2D_ZEXT(uint32_t, 2, v)
#define SEXT24(v) SK2D_SEXT(int32_t, 2, v)
#define ZEXT25(v) SK2D_ZEXT(uint64_t, 2, v)
#define SEXT25(v) SK2D_SEXT(int64_t, 2, v)
#define ZEXT26(v) SK2D_ZEXT(uint64_t, 2, v)
#define SEXT26(v) SK2D_SEXT(int64_t, 2, v)
#define ZEXT27(v) SK2D_ZEXT(uint64_t, 2, v)
#define SEXT27(v) SK2D_SEXT(int64_t, 2, v)
#define ZEXT28(v) SK2D_ZEXT(uint64_t, 2, v)
#define SEXT28(v) SK2D_SEXT(int64_t, 2, v)
#define ZEXT29(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT29(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT210(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT210(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT211(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT211(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT212(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT212(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT213(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT213(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT214(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT214(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT215(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT215(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT216(v) SK2D_ZEXT(unsigned __int128, 2, v)
#define SEXT216(v) SK2D_SEXT(__int128, 2, v)
#define ZEXT34(v) SK2D_ZEXT(uint32_t, 3, v)
#define SEXT34(v) SK2D_SEXT(int32_t, 3, v)
#define ZEXT35(v) SK2D_ZEXT(uint64_t, 3, v)
#define SEXT35(v) SK2D_SEXT(int64_t, 3, v)
#define ZEXT36(v) SK2D_ZEXT(uint64_t, 3, v)
#define SEXT36(v) SK2D_SEXT(int64_t, 3, v)
#define ZEXT37(v) SK2D_ZEXT(uint64_t, 3, v)
#define SEXT37(v) SK2D_SEXT(int64_t, 3, v)
#define ZEXT38(v) SK2D_ZEXT(uint64_t, 3, v)
#define SEXT38(v) SK2D_SEXT(int64_t, 3, v)
#define ZEXT39(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT39(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT310(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT310(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT311(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT311(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT312(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT312(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT313(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT313(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT314(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT314(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT315(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT315(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT316(v) SK2D_ZEXT(unsigned __int128, 3, v)
#define SEXT316(v) SK2D_SEXT(__int128, 3, v)
#define ZEXT45(v) SK2D_ZEXT(uint64_t, 4, v)
#define SEXT45(v) SK2D_SEXT(int64_t, 4, v)
#define ZEXT46(v) SK2D_ZEXT(uint64_t, 4, v)
#define SEXT46(v) SK2D_SEXT(int64_t, 4, v)
#define ZEXT47(v) SK2D_ZEXT(uint64_t, 4, v)
#define SEXT47(v) SK2D_SEXT(int64_t, 4, v)
#define ZEXT48(v) SK2D_ZEXT(uint64_t, 4, v)
#define SEXT48(v) SK2D_SEXT(int64_t, 4, v)
#define ZEXT49(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT49(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT410(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT410(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT411(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT411(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT412(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT412(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT413(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT413(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT414(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT414(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT415(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT415(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT416(v) SK2D_ZEXT(unsigned __int128, 4, v)
#define SEXT416(v) SK2D_SEXT(__int128, 4, v)
#define ZEXT56(v) SK2D_ZEXT(uint64_t, 5, v)
#define SEXT56(v) SK2D_SEXT(int64_t, 5, v)
#define ZEXT57(v) SK2D_ZEXT(uint64_t, 5, v)
#define SEXT57(v) SK2D_SEXT(int64_t, 5, v)
#define ZEXT58(v) SK2D_ZEXT(uint64_t, 5, v)
#define SEXT58(v) SK2D_SEXT(int64_t, 5, v)
#define ZEXT59(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT59(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT510(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT510(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT511(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT511(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT512(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT512(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT513(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT513(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT514(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT514(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT515(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT515(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT516(v) SK2D_ZEXT(unsigned __int128, 5, v)
#define SEXT516(v) SK2D_SEXT(__int128, 5, v)
#define ZEXT67(v) SK2D_ZEXT(uint64_t, 6, v)
#define SEXT67(v) SK2D_SEXT(int64_t, 6, v)
#define ZEXT68(v) SK2D_ZEXT(uint64_t, 6, v)
#define SEXT68(v) SK2D_SEXT(int64_t, 6, v)
#define ZEXT69(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT69(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT610(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT610(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT611(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT611(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT612(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT612(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT613(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT613(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT614(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT614(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT615(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT615(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT616(v) SK2D_ZEXT(unsigned __int128, 6, v)
#define SEXT616(v) SK2D_SEXT(__int128, 6, v)
#define ZEXT78(v) SK2D_ZEXT(uint64_t, 7, v)
#define SEXT78(v) SK2D_SEXT(int64_t, 7, v)
#define ZEXT79(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT79(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT710(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT710(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT711(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT711(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT712(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT712(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT713(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT713(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT714(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT714(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT715(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT715(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT716(v) SK2D_ZEXT(unsigned __int128, 7, v)
#define SEXT716(v) SK2D_SEXT(__int128, 7, v)
#define ZEXT89(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT89(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT810(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT810(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT811(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT811(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT812(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT812(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT813(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT813(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT814(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT814(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT815(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT815(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT816(v) SK2D_ZEXT(unsigned __int128, 8, v)
#define SEXT816(v) SK2D_SEXT(__int128, 8, v)
#define ZEXT910(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT910(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT911(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT911(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT912(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT912(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT913(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT913(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT914(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT914(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT915(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT915(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT916(v) SK2D_ZEXT(unsigned __int128, 9, v)
#define SEXT916(v) SK2D_SEXT(__int128, 9, v)
#define ZEXT1011(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1011(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1012(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1012(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1013(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1013(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1014(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1014(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1015(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1015(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1016(v) SK2D_ZEXT(unsigned __int128, 10, v)
#define SEXT1016(v) SK2D_SEXT(__int128, 10, v)
#define ZEXT1112(v) SK2D_ZEXT(unsigned __int128, 11, v)
#define SEXT1112(v) SK2D_SEXT(__int128, 11, v)
#define ZEXT1113(v) SK2D_ZEXT(unsigned __int128, 11, v)
#define SEXT1113(v) SK2D_SEXT(__int128, 11, v)
#define ZEXT1114(v) SK2D_ZEXT(unsigned __int128, 11, v)
#define SEXT1114(v) SK2D_SEXT(__int128, 11, v)
#define ZEXT1115(v) SK2D_ZEXT(unsigned __int128, 11, v)
#define SEXT1115(v) SK2D_SEXT(__int128, 11, v)
#define ZEXT1116(v) SK2D_ZEXT(unsigned __int128, 11, v)
#define SEXT1116(v) SK2D_SEXT(__int128, 11, v)
#define ZEXT1213(v) SK2D_ZEXT(unsigned __int128, 12, v)
#define SEXT1213(v) SK2D_SEXT(__int128, 12, v)
#define ZEXT1214(v) SK2D_ZEXT(unsigned __int128, 12, v)
#define SEXT1214(v) SK2D_SEXT(__int128, 12, v)
#define ZEXT1215(v) SK2D_ZEXT(unsigned __int128, 12, v)
#define SEXT1215(v) SK2D_SEXT(__int128, 12, v)
#define ZEXT1216(v) SK2D_ZEXT(unsigned __int128, 12, v)
#define SEXT1216(v) SK2D_SEXT(__int128, 12, v)
#define ZEXT1314(v) SK2D_ZEXT(unsigned __int128, 13, v)
#define SEXT1314(v) SK2D_SEXT(__int128, 13, v)
#define ZEXT1315(v) SK2D_ZEXT(unsigned __int128, 13, v)
#define SEXT1315(v) SK2D_SEXT(__int128, 13, v)
#define ZEXT1316(v) SK2D_ZEXT(unsigned __int128, 13, v)
#define SEXT1316(v) SK2D_SEXT(__int128, 13, v)
#define ZEXT1415(v) SK2D_ZEXT(unsigned __int128, 14, v)
#define SEXT1415(v) SK2D_SEXT(__int128, 14, v)
#define ZEXT1416(v) SK2D_ZEXT(unsigned __int128, 14, v)
#define SEXT1416(v) SK2D_SEXT(__int128, 14, v)
#define ZEXT1516(v) SK2D_ZEXT(unsigned __int128, 15, v)
#define SEXT1516(v) SK2D_SEXT(__int128, 15, v)
#define CARRY1(a, b) SK2D_FLAG(add, uint8_t, a, b)
#define SCARRY1(a, b) SK2D_FLAG(add, int8_t, a, b)
#define SBORROW1(a, b) SK2D_FLAG(sub, int8_t, a, b)
#define CARRY2(a, b) SK2D_FLAG(add, uint16_t, a, b)
#define SCARRY2(a, b) SK2D_FLAG(add, int16_t, a, b)
#define SBORROW2(a, b) SK2D_FLAG(sub, int16_t, a, b)
#define CARRY4(a, b) SK2D_FLAG(add, uint32_t, a, b)
#define SCARRY4(a, b) SK2D_FLAG(add, int32_t, a, b)
#define SBORROW4(a, b) SK2D_FLAG(sub, int32_t, a, b)
#define CARRY8(a, b) SK2D_FLAG(add, uint64_t, a, b)
#define SCARRY8(a, b) SK2D_FLAG(add, int64_t, a, b)
#define SBORROW8(a, b) SK2D_FLAG(sub, int64_t, a, b)
#define CARRY16(a, b) SK2D_FLAG(add, unsigned __int128, a, b)
#define SCARRY16(a, b) SK2D_FLAG(add, __int128, a, b)
#define SBORROW16(a, b) SK2D_FLAG(sub, __int128, a, b)
#define BYTE1(x) SK2D_PART(sk2d_u1, x, 1)
#define SBYTE1(x) SK2D_PART(sk2d_s1, x, 1)
#define BYTE2(x) SK2D_PART(sk2d_u1, x, 2)
#define SBYTE2(x) SK2D_PART(sk2d_s1, x, 2)
#define BYTE3(x) SK2D_PART(sk2d_u1, x, 3)
#define SBYTE3(x) SK2D_PART(sk2d_s1, x, 3)
#define BYTE4(x) SK2D_PART(sk2d_u1, x, 4)
#define SBYTE4(x) SK2D_PART(sk2d_s1, x, 4)
#define BYTE5(x) SK2D_PART(sk2d_u1, x, 5)
#define SBYTE5(x) SK2D_PART(sk2d_s1, x, 5)
#define BYTE6(x) SK2D_PART(sk2d_u1, x, 6)
#define SBYTE6(x) SK2D_PART(sk2d_s1, x, 6)
#define BYTE7(x) SK2D_PART(sk2d_u1, x, 7)
#define SBYTE7(x) SK2D_PART(sk2d_s1, x, 7)
#define BYTE8(x) SK2D_PART(sk2d_u1, x, 8)
#define SBYTE8(x) SK2D_PART(sk2d_s1, x, 8)
#define BYTE9(x) SK2D_PART(sk2d_u1, x, 9)
#define SBYTE9(x) SK2D_PART(sk2d_s1, x, 9)
#define BYTE10(x) SK2D_PART(sk2d_u1, x, 10)
#define SBYTE10(x) SK2D_PART(sk2d_s1, x, 10)
#define BYTE11(x) SK2D_PART(sk2d_u1, x, 11)
#define SBYTE11(x) SK2D_PART(sk2d_s1, x, 11)
#define BYTE12(x) SK2D_PART(sk2d_u1, x, 12)
#define SBYTE12(x) SK2D_PART(sk2d_s1, x, 12)
#define BYTE13(x) SK2D_PART(sk2d_u1, x, 13)
#define SBYTE13(x) SK2D_PART(sk2d_s1, x, 13)
#define BYTE14(x) SK2D_PART(sk2d_u1, x, 14)
#define SBYTE14(x) SK2D_PART(sk2d_s1, x, 14)
#define BYTE15(x) SK2D_PART(sk2d_u1, x, 15)
#define SBYTE15(x) SK2D_PART(sk2d_s1, x, 15)
#define WORD1(x) SK2D_PART(sk2d_u2, x, 1)
#define SWORD1(x) SK2D_PART(sk2d_s2, x, 1)
#define WORD2(x) SK2D_PART(sk2d_u2, x, 2)
#define SWORD2(x) SK2D_PART(sk2d_s2, x, 2)
#define WORD3(x) SK2D_PART(sk2d_u2, x, 3)
#define SWORD3(x) SK2D_PART(sk2d_s2, x, 3)
#define WORD4(x) SK2D_PART(sk2d_u2, x, 4)
#define SWORD4(x) SK2D_PART(sk2d_s2, x, 4)
#define WORD5(x) SK2D_PART(sk2d_u2, x, 5)
#define SWORD5(x) SK2D_PART(sk2d_s2, x, 5)
#define WORD6(x) SK2D_PART(sk2d_u2, x, 6)
#define SWORD6(x) SK2D_PART(sk2d_s2, x, 6)
#define WORD7(x) SK2D_PART(sk2d_u2, x, 7)
#define SWORD7(x) SK2D_PART(sk2d_s2, x, 7)
#define DWORD1(x) SK2D_PART(sk2d_u4, x, 1)
#define SDWORD1(x) SK2D_PART(sk2d_s4, x, 1)
#define DWORD2(x) SK2D_PART(sk2d_u4, x, 2)
#define SDWORD2(x) SK2D_PART(sk2d_s4, x, 2)
#define DWORD3(x) SK2D_PART(sk2d_u4, x, 3)
#define SDWORD3(x) SK2D_PART(sk2d_s4, x, 3)
#define QWORD0(x) SK2D_PART(sk2d_u8, x, 0)
#define SQWORD0(x) SK2D_PART(sk2d_s8, x, 0)
#define QWORD1(x) SK2D_PART(sk2d_u8, x, 1)
#define SQWORD1(x) SK2D_PART(sk2d_s8, x, 1)
/* end of families */

#define POPCOUNT(x) sk2d_popcount(SK2D_RAW(x))
SK2D_INLINE int sk2d_popcount(sk2d_u16 x)
{
  return __builtin_popcountll((sk2d_u8)x) + __builtin_popcountll((sk2d_u8)(x >> 64));
}
#define LZCOUNT(x) sk2d_lzcount(SK2D_RAW(x), sizeof((void)0, (x)))
SK2D_INLINE int sk2d_lzcount(sk2d_u16 x, size_t size)
{
  int count = 0;
  for (int bit = 8 * (int)size - 1; bit >= 0 && !(x >> bit & 1); bit--)
    count++;
  return count;
}
/* A number that is none, for `NAN` alone; NAN(x) asks for one. */
#undef NAN
static const float NAN __attribute__((unused)) = __builtin_nanf("");
#define NAN(x) __builtin_isnan(x)
#define SK2D_FLOATING(name, x) \
  _Generic((x), float: __builtin_##name##f, long double: __builtin_##name##l, default: __builtin_##name)(x)
#define ABS(x) SK2D_FLOATING(fabs, x)
#define SQRT(x) SK2D_FLOATING(sqrt, x)
#define CEIL(x) SK2D_FLOATING(ceil, x)
#define FLOOR(x) SK2D_FLOATING(floor, x)
#define ROUND(x) SK2D_FLOATING(round, x)
#define TRUNC(x) SK2D_FLOATING(trunc, x)
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif

/* ---- The C library, for output that is compiled without a header of its own ----
 * ctype.h may have made macros of some names: the brackets keep them from being used. */

#ifndef SK2D_SHIM_NO_LIBC
typedef struct _IO_FILE FILE;
typedef long ssize_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
void abort(void);
void exit(int);
int atexit(void (*)(void));
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double strtod(const char *, char **);
float strtof(const char *, char **);
int rand(void);
void srand(unsigned int);
int abs(int);
long labs(long);
long long llabs(long long);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
char *getenv(const char *);
int system(const char *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *stpcpy(char *, const char *);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strpbrk(const char *, const char *);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strerror(int);
int (isalnum)(int);
int (isalpha)(int);
int (isblank)(int);
int (iscntrl)(int);
int (isdigit)(int);
int (isgraph)(int);
int (islower)(int);
int (isprint)(int);
int (ispunct)(int);
int (isspace)(int);
int (isupper)(int);
int (isxdigit)(int);
int (tolower)(int);
int (toupper)(int);
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int puts(const char *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int fputs(const char *, FILE *);
int getchar(void);
int getc(FILE *);
int fgetc(FILE *);
int ungetc(int, FILE *);
char *fgets(char *, int, FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fflush(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
long ftell(FILE *);
void rewind(FILE *);
int feof(FILE *);
int ferror(FILE *);
void perror(const char *);
ssize_t getline(char **, size_t *, FILE *);
double acos(double);
double asin(double);
double atan(double);
double atan2(double, double);
double cbrt(double);
double ceil(double);
double cos(double);
double cosh(double);
double exp(double);
double exp2(double);
double fabs(double);
double floor(double);
double fmax(double, double);
double fmin(double, double);
double fmod(double, double);
double hypot(double, double);
double ldexp(double, int);
double log(double);
double log10(double);
double log2(double);
double modf(double, double *);
double pow(double, double);
double rint(double);
double round(double);
double sin(double);
double sinh(double);
double sqrt(double);
double tan(double);
double tanh(double);
double trunc(double);
float ceilf(float);
float cosf(float);
float expf(float);
float fabsf(float);
float floorf(float);
float fmodf(float, float);
float logf(float);
float powf(float, float);
float roundf(float);
float sinf(float);
float sqrtf(float);
float truncf(float);
long lround(double);
void __stack_chk_fail(void);
void __assert_fail(const char *, const char *, unsigned int, const char *);
const unsigned short **__ctype_b_loc(void);
const int **__ctype_tolower_loc(void);
const int **__ctype_toupper_loc(void);
int *__errno_location(void);
int __isoc99_scanf(const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_sscanf(const char *, const char *, ...);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
#endif

#endif
