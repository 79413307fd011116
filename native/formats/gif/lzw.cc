#include "formats/gif/lzw.h"

#include <algorithm>

namespace framewright::gif {
namespace {

constexpr int kMaxCodes = 4096;
constexpr size_t kMaxBlockBytes = 255;

// Packs codes of growing width, least significant bit first.
class CodePacker {
 public:
  void put(int code, int bits) {
    pending_ |= static_cast<uint32_t>(code) << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, pending_ >>= 8)
      packed_.push_back(static_cast<uint8_t>(pending_));
  }
  const std::vector<uint8_t>& finish() {
    if (count_ > 0) packed_.push_back(static_cast<uint8_t>(pending_));
    count_ = 0;
    return packed_;
  }

 private:
  uint32_t pending_ = 0;
  int count_ = 0;
  std::vector<uint8_t> packed_;
};

}  // namespace

void appendLzw(std::span<const uint8_t> indices, int bits, std::vector<uint8_t>& bytes) {
  const int clear = 1 << bits, end = clear + 1;
  CodePacker packer;
  // next[code * symbols + index]: the code of the string `code` continued by `index`; 0: none.
  const auto symbols = static_cast<size_t>(clear);
  std::vector<uint16_t> next(kMaxCodes * symbols);
  int free = end + 1, width = bits + 1;
  packer.put(clear, width);
  int prefix = indices.empty() ? -1 : indices[0];
  for (size_t i = 1; i < indices.size(); ++i) {
    uint16_t& found = next[static_cast<size_t>(prefix) * symbols + indices[i]];
    if (found != 0) {
      prefix = found;
      continue;
    }
    packer.put(prefix, width);
    if (free < kMaxCodes) {
      found = static_cast<uint16_t>(free);
      if (free == 1 << width) ++width;
      ++free;
    } else {
      packer.put(clear, width);
      std::fill(next.begin(), next.end(), uint16_t{0});
      free = end + 1;
      width = bits + 1;
    }
    prefix = indices[i];
  }
  if (prefix >= 0) {
    packer.put(prefix, width);
    // The decoder adds an entry for this code too, which may widen the last one.
    if (free < kMaxCodes && free == 1 << width) ++width;
  }
  packer.put(end, width);
  bytes.push_back(static_cast<uint8_t>(bits));
  const std::vector<uint8_t>& packed = packer.finish();
  for (size_t at = 0; at < packed.size(); at += kMaxBlockBytes) {
    const size_t count = std::min(kMaxBlockBytes, packed.size() - at);
    bytes.push_back(static_cast<uint8_t>(count));
    bytes.insert(bytes.end(), packed.begin() + static_cast<ptrdiff_t>(at),
                 packed.begin() + static_cast<ptrdiff_t>(at + count));
  }
  bytes.push_back(0);
}

}  // namespace framewright::gif
