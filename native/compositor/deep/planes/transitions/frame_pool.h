#pragma once

#include <cstddef>
#include <deque>

namespace framewright {

// What one frame uses, reused by the next one.
template <typename T>
struct FramePool {
  std::deque<T> all;
  size_t used = 0;

  T& next() {
    if (all.size() == used) all.emplace_back();
    return all[used++];
  }
};

}  // namespace framewright
