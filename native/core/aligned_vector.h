#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace framewright {

// Allocates memory that starts on a cache line.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class Other>
  CacheLineAllocator(const CacheLineAllocator<Other>&) {}
  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kAlignment)); }
  void deallocate(T* memory, size_t) { ::operator delete(memory, kAlignment); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

// For tables and rows that vector loops read: a vector that crosses cache lines takes twice as long.
template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace framewright
