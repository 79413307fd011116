#include "formats/png_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "core/guarded.h"
#include "formats/png_chunk.h"

namespace framewright {
namespace {

constexpr int kChannels = 3;
constexpr int kRowsPerBand = 32;
constexpr unsigned kMaxThreads = 8;

using Bytes = std::vector<uint8_t>;

// Rows that are compressed independently of other bands.
struct Band {
  int first = 0;
  int end = 0;
  Bytes packed;
  uLong checksum = 0;
  uLong length = 0;
};

// Sum of absolute values of signed bytes: PNG's heuristic for choosing a row filter.
uint64_t magnitude(const uint8_t* bytes, int count) {
  uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += static_cast<uint8_t>(std::min<int>(bytes[i], 256 - bytes[i]));
  return sum;
}

// Applies the PNG row filters Sub and Up and picks the better one.
class RowFilter {
 public:
  explicit RowFilter(const Plane& plane)
      : plane_(plane),
        length_(plane.width * kChannels),
        above_(length_),
        row_(length_),
        fromLeft_(length_ + 1),
        fromAbove_(length_ + 1) {
    fromLeft_[0] = 1;
    fromAbove_[0] = 2;
  }

  void startAt(int y) {
    if (y == 0)
      std::fill(above_.begin(), above_.end(), 0);
    else
      takeRow(y - 1, above_);
  }

  // Filters the row after the previous one.
  const Bytes& filter(int y) {
    takeRow(y, row_);
    for (int i = 0; i < length_; ++i) {
      fromLeft_[i + 1] = static_cast<uint8_t>(row_[i] - (i < kChannels ? 0 : row_[i - kChannels]));
      fromAbove_[i + 1] = static_cast<uint8_t>(row_[i] - above_[i]);
    }
    std::swap(above_, row_);
    const bool leftIsBetter = magnitude(&fromLeft_[1], length_) < magnitude(&fromAbove_[1], length_);
    return leftIsBetter ? fromLeft_ : fromAbove_;
  }

 private:
  void takeRow(int y, Bytes& to) const {
    const uint8_t* from = plane_.data + y * plane_.stride;
    for (int x = 0; x < plane_.width; ++x) std::memcpy(&to[x * kChannels], from + x * 4, kChannels);
  }

  const Plane& plane_;
  int length_;
  Bytes above_, row_, fromLeft_, fromAbove_;
};

// Compresses the rows as a part of a raw deflate stream that ends on a byte boundary, so that parts can be
// concatenated. Matches only runs of one byte: pixel differences contain few other matches, and the search is
// the slowest part. Empty when memory runs out.
Bytes deflateRows(Bytes& rows, bool isLast) {
  constexpr size_t kFlushMargin = 64;  // deflateBound() does not include what a flush adds
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_RLE) != Z_OK) return {};
  Bytes packed(deflateBound(&stream, static_cast<uLong>(rows.size())) + kFlushMargin);
  stream.next_in = rows.data();
  stream.avail_in = static_cast<uInt>(rows.size());
  stream.next_out = packed.data();
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

void pack(const Plane& plane, Band& band) {
  const size_t rowLength = static_cast<size_t>(plane.width) * kChannels + 1;
  Bytes rows;
  rows.reserve(rowLength * static_cast<size_t>(band.end - band.first));
  RowFilter filter(plane);
  filter.startAt(band.first);
  for (int y = band.first; y < band.end; ++y) {
    const Bytes& row = filter.filter(y);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  band.length = rows.size();
  band.checksum = adler32(adler32(0, nullptr, 0), rows.data(), static_cast<uInt>(rows.size()));
  band.packed = deflateRows(rows, band.end == plane.height);
}

std::vector<Band> packBands(const Plane& plane) {
  std::vector<Band> bands;
  for (int y = 0; y < plane.height; y += kRowsPerBand) {
    bands.push_back({.first = y, .end = std::min(y + kRowsPerBand, plane.height)});
  }
  const size_t count =
      std::min<size_t>(bands.size(), std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads));
  // A band for which memory runs out stays empty.
  const auto packEvery = [&](size_t first) {
    static_cast<void>(guarded([&] {
      for (size_t i = first; i < bands.size(); i += count) pack(plane, bands[i]);
      return Status();
    }));
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < count; ++i) others.emplace_back(packEvery, i);
  packEvery(0);
  for (std::thread& other : others) other.join();
  return bands;
}

// Joins all bands to one zlib stream.
Bytes joinBands(const std::vector<Band>& bands) {
  // zlib header: deflate, fastest compression.
  Bytes all = {0x78, 0x01};
  uLong checksum = adler32(0, nullptr, 0);
  for (const Band& band : bands) {
    all.insert(all.end(), band.packed.begin(), band.packed.end());
    checksum = adler32_combine(checksum, band.checksum, static_cast<z_off_t>(band.length));
  }
  appendU32(all, static_cast<uint32_t>(checksum));
  return all;
}

Bytes pngOf(const Plane& plane, const std::vector<Band>& bands) {
  Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  Bytes header;
  appendU32(header, static_cast<uint32_t>(plane.width));
  appendU32(header, static_cast<uint32_t>(plane.height));
  constexpr uint8_t kBits = 8, kRgb = 2, kDeflate = 0, kRowFilters = 0, kInOrder = 0;
  header.insert(header.end(), {kBits, kRgb, kDeflate, kRowFilters, kInOrder});
  appendPngChunk(file, "IHDR", header);
  appendPngChunk(file, "IDAT", joinBands(bands));
  appendPngChunk(file, "IEND", {});
  return file;
}

}  // namespace

Status writePng(const Image& image, const std::string& path) {
  const auto failed = [] {
    return Error{ErrorCode::UNEXPECTED, "the frame could not be written as PNG", std::strerror(errno)};
  };
  const Plane& plane = image.plane(0);
  const std::vector<Band> bands = packBands(plane);
  if (std::ranges::any_of(bands, [](const Band& band) { return band.packed.empty(); }))
    return Error{ErrorCode::OUT_OF_MEMORY, "not enough memory to write the frame as PNG", ""};
  const Bytes bytes = pngOf(plane, bands);
  // "x" fails if the file exists.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wbxe"), std::fclose);
  if (file == nullptr) return failed();
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return failed();
  return std::fflush(file.get()) == 0 ? Status() : failed();
}

}  // namespace framewright
