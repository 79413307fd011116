#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace framewright::gpu {

// A frame's shader data computed on the host: layer records and the tables that they point to.
class Tables {
 public:
  void clear() { words_.clear(); }
  uint32_t size() const { return static_cast<uint32_t>(words_.size()); }
  const std::vector<uint32_t>& words() const { return words_; }

  // Appends `count` zero words and returns their offset.
  uint32_t add(size_t count) {
    const uint32_t at = size();
    words_.resize(words_.size() + count);
    return at;
  }
  uint32_t push(int32_t value) {
    words_.push_back(static_cast<uint32_t>(value));
    return size() - 1;
  }
  uint32_t pushFloat(float value) { return push(std::bit_cast<int32_t>(value)); }
  void set(uint32_t at, int32_t value) { words_[at] = static_cast<uint32_t>(value); }
  void setFloat(uint32_t at, double value) { set(at, std::bit_cast<int32_t>(static_cast<float>(value))); }

 private:
  std::vector<uint32_t> words_;
};

}  // namespace framewright::gpu
