#include "formats/pixel_deflate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace framewright {
namespace {

constexpr int kLiterals = 256, kEndOfBlock = 256, kFirstLength = 257, kSymbols = 286;
constexpr int kLongestCode = 15;
constexpr size_t kShortestRun = 8, kLongestRun = 258;

using Counts = std::array<uint32_t, kSymbols>;

struct Code {
  uint16_t bits = 0;  // in output order: the code's first bit is the lowest
  uint8_t length = 0;
};

struct RunLength {
  int symbol;
  int extraBits;
  int extra;
};

RunLength runLengthOf(size_t length) {
  if (length == kLongestRun) return {kSymbols - 1, 0, 0};
  const int value = static_cast<int>(length) - 3;
  if (value < 8) return {kFirstLength + value, 0, 0};
  // Four symbols for each power of two.
  const int extraBits = std::bit_width(static_cast<unsigned>(value)) - 3;
  return {kFirstLength + 4 * extraBits + (value >> extraBits), extraBits, value & ((1 << extraBits) - 1)};
}

uint64_t eightBytes(const uint8_t* at) {
  uint64_t value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// Splits the bytes into literals and runs and calls `literal(byte)` or `run(length)` in order.
template <class Literal, class Run>
void splitBytes(const uint8_t* bytes, size_t count, Literal literal, Run run) {
  size_t at = 0;
  while (at < count) {
    if (at > 0 && at + kShortestRun <= count && eightBytes(bytes + at) == eightBytes(bytes + at - 1)) {
      size_t length = kShortestRun;
      const size_t limit = std::min(kLongestRun, count - at);
      while (length < limit && bytes[at + length] == bytes[at - 1]) ++length;
      run(length);
      at += length;
    } else {
      literal(bytes[at++]);
    }
  }
}

// Huffman code lengths, limited to kLongestCode (package the tree first, then shorten).
std::array<uint8_t, kSymbols> codeLengths(const Counts& counts) {
  struct Node {
    uint64_t weight;
    int parent;
  };
  std::vector<std::pair<uint32_t, int>> order;
  for (int symbol = 0; symbol < kSymbols; ++symbol)
    if (counts[symbol] > 0) order.emplace_back(counts[symbol], symbol);
  std::sort(order.begin(), order.end());
  std::array<uint8_t, kSymbols> lengths{};
  const int leaves = static_cast<int>(order.size());
  if (leaves == 1) {
    lengths[order[0].second] = 1;
    return lengths;
  }
  // Leaves in ascending order, followed by the inner nodes, which are created in ascending order.
  std::vector<Node> nodes;
  for (const auto& [weight, symbol] : order) nodes.push_back({weight, 0});
  int leaf = 0, joined = leaves;
  const auto lightest = [&] {
    const bool takesLeaf = leaf < leaves && (joined >= static_cast<int>(nodes.size()) ||
                                             nodes[leaf].weight <= nodes[joined].weight);
    return takesLeaf ? leaf++ : joined++;
  };
  for (int i = 1; i < leaves; ++i) {
    const int a = lightest(), b = lightest();
    const int parent = static_cast<int>(nodes.size());
    nodes[a].parent = nodes[b].parent = parent;
    nodes.push_back({nodes[a].weight + nodes[b].weight, 0});
  }
  std::vector<int> depths(nodes.size(), 0);
  std::array<int, kLongestCode + 1> perLength{};
  for (int i = static_cast<int>(nodes.size()) - 2; i >= 0; --i) {
    depths[i] = depths[nodes[i].parent] + 1;
    if (i < leaves) ++perLength[std::min(depths[i], kLongestCode)];
  }
  // Truncated codes overflow the code space; lengthening shorter codes makes room.
  int64_t room = 1 << kLongestCode;
  for (int length = 1; length <= kLongestCode; ++length)
    room -= static_cast<int64_t>(perLength[length]) << (kLongestCode - length);
  while (room < 0) {
    int length = kLongestCode - 1;
    while (perLength[length] == 0) --length;
    --perLength[length];
    ++perLength[length + 1];
    room += int64_t{1} << (kLongestCode - length - 1);
  }
  // The code space must be used completely.
  for (; room > 0; --room, --perLength[kLongestCode]) ++perLength[kLongestCode - 1];
  // The rarest symbols get the longest codes.
  int next = 0;
  for (int length = kLongestCode; length >= 1; --length)
    for (int i = 0; i < perLength[length]; ++i) lengths[order[next++].second] = static_cast<uint8_t>(length);
  return lengths;
}

std::array<Code, kSymbols> codesOf(const std::array<uint8_t, kSymbols>& lengths) {
  std::array<int, kLongestCode + 2> next{};
  for (const uint8_t length : lengths) ++next[length + 1];
  next[1] = 0;  // symbols without a code
  int code = 0;
  std::array<int, kLongestCode + 1> first{};
  for (int length = 1; length <= kLongestCode; ++length) {
    first[length] = code;
    code = (code + next[length + 1]) << 1;
  }
  std::array<Code, kSymbols> codes;
  for (int symbol = 0; symbol < kSymbols; ++symbol) {
    const int length = lengths[symbol];
    if (length == 0) continue;
    int bits = first[length]++;
    uint16_t reversed = 0;
    for (int i = 0; i < length; ++i, bits >>= 1) reversed = static_cast<uint16_t>(reversed << 1 | (bits & 1));
    codes[symbol] = {reversed, static_cast<uint8_t>(length)};
  }
  return codes;
}

class BitWriter {
 public:
  explicit BitWriter(std::vector<uint8_t>& to) : to_(to), at_(to.size()) {}

  // Reserves space for this many bits; put() does not check.
  void reserve(size_t bits) { to_.resize(at_ + bits / 8 + 16); }

  void put(uint32_t bits, int count) {
    pending_ |= static_cast<uint64_t>(bits) << filled_;
    filled_ += count;
    if (filled_ < 32) return;
    for (int i = 0; i < 4; ++i) to_[at_ + i] = static_cast<uint8_t>(pending_ >> (8 * i));
    at_ += 4;
    pending_ >>= 32;
    filled_ -= 32;
  }

  // Pads to the next byte.
  void align() {
    for (; filled_ > 0; filled_ -= 8, pending_ >>= 8) to_[at_++] = static_cast<uint8_t>(pending_);
    filled_ = 0;
    pending_ = 0;
  }

  void finish() {
    align();
    to_.resize(at_);
  }

 private:
  std::vector<uint8_t>& to_;
  size_t at_;
  uint64_t pending_ = 0;
  int filled_ = 0;
};

void putHeader(BitWriter& writer, const std::array<uint8_t, kSymbols>& lengths, bool isLast) {
  constexpr int kOwnCodes = 2, kLengthCodes = 19, kRepetitions = 3, kLengthBits = 4;
  writer.put(isLast ? 1 : 0, 1);
  writer.put(kOwnCodes, 2);
  writer.put(kSymbols - 257, 5);
  writer.put(0, 5);  // one distance code: 1
  writer.put(kLengthCodes - 4, 4);
  // Code lengths are written as plain 4-bit values; the three repetition codes come first and are unused.
  for (int i = 0; i < kLengthCodes; ++i) writer.put(i < kRepetitions ? 0 : kLengthBits, 3);
  const auto putLength = [&](uint32_t length) {
    // Codes are written from their highest bit.
    writer.put((length & 1) << 3 | (length & 2) << 1 | (length & 4) >> 1 | (length & 8) >> 3, kLengthBits);
  };
  for (const uint8_t length : lengths) putLength(length);
  putLength(1);
}

}  // namespace

void deflatePixels(const uint8_t* bytes, size_t count, bool isLast, std::vector<uint8_t>& to) {
  Counts counts{};
  counts[kEndOfBlock] = 1;
  splitBytes(
      bytes, count, [&](uint8_t byte) { ++counts[byte]; },
      [&](size_t length) { ++counts[runLengthOf(length).symbol]; });
  const std::array<uint8_t, kSymbols> lengths = codeLengths(counts);
  const std::array<Code, kSymbols> codes = codesOf(lengths);
  size_t bits = 4096;
  constexpr int kMaxExtraBits = 6;
  for (int symbol = 0; symbol < kSymbols; ++symbol)
    bits +=
        static_cast<size_t>(counts[symbol]) * (lengths[symbol] + (symbol < kLiterals ? 0 : kMaxExtraBits));
  BitWriter writer(to);
  writer.reserve(bits);
  putHeader(writer, lengths, isLast);
  splitBytes(
      bytes, count, [&](uint8_t byte) { writer.put(codes[byte].bits, codes[byte].length); },
      [&](size_t length) {
        const RunLength run = runLengthOf(length);
        writer.put(codes[run.symbol].bits, codes[run.symbol].length);
        writer.put(static_cast<uint32_t>(run.extra), run.extraBits);
        writer.put(0, 1);
      });
  writer.put(codes[kEndOfBlock].bits, codes[kEndOfBlock].length);
  if (!isLast) {
    // An empty stored block ends on a byte boundary.
    writer.put(0, 3);
    writer.align();
    writer.put(0xffff0000u, 32);
  }
  writer.finish();
}

}  // namespace framewright
