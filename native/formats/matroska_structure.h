#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace framewright {

// Bytes of a file from `first` up to, not including, `end`.
struct ByteRange {
  int64_t first = 0, end = 0;

  int64_t size() const { return end - first; }
};

// Reads bytes of a file at an offset; returns their number, 0 at the end or after an error.
using ReadAt = std::function<size_t(int64_t offset, std::span<uint8_t> to)>;

// Whether the elements of a Matroska or WebM file are intact.
struct MatroskaStructure {
  std::vector<ByteRange> damaged;  // whole elements, ascending
  bool isIncomplete = false;       // the file ends within an element
};

// Reads the headers of the elements, down to the blocks of the clusters. Where one is invalid, it searches
// for the next block or cluster, as players do not: they continue with the next cluster.
MatroskaStructure readMatroskaStructure(int64_t fileBytes, const ReadAt& read);

// Fills `to`, the part of a file at `offset`, so that each of the ranges reads as a Void element. A range has
// at least 2 bytes.
void hideElements(const std::vector<ByteRange>& ranges, int64_t offset, std::span<uint8_t> to);

}  // namespace framewright
