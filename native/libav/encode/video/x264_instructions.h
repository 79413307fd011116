#pragma once

namespace framewright {

// What x264's parameters need for equal bytes from equal frames: with AVX-512, libx264 (164) reads uninitialized
// memory, and with AVX2 it does not. Null on processors without AVX-512.
inline const char* x264Instructions() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx2")) return "asm=avx2";
#endif
  return nullptr;
}

}  // namespace framewright
