#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/byte_reader.h"
#include "formats/stills/formats.h"

namespace framewright {
namespace {

constexpr uint32_t kCoreHeader = 12, kInfoHeader = 40;
enum Compression : uint32_t {
  kPlain = 0,
  kRunLength8 = 1,
  kRunLength4 = 2,
  kBitFields = 3,
  kAlphaFields = 6
};

constexpr std::array<uint32_t, 8> kHeaderSizes{kCoreHeader, 16, kInfoHeader, 52, 56, 64, 108, 124};
constexpr std::array<uint32_t, 6> kDepths{1, 4, 8, 16, 24, 32};

bool isIn(const auto& values, uint32_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

Result<ImageHeader> readBmpHeader(std::span<const uint8_t> file) {
  ImageHeader header{ImageType::kBmp};
  ByteReader reader(file, false);
  reader.skip(10);
  const uint64_t pixelsAt = reader.u32();
  const uint32_t size = reader.u32();
  if (!reader.ok() || !isIn(kHeaderSizes, size)) return damagedHeader(header.type);
  const bool core = size == kCoreHeader;
  const int64_t width = core ? reader.u16() : static_cast<int32_t>(reader.u32());
  const int64_t height = core ? reader.u16() : static_cast<int32_t>(reader.u32());  // negative: top-down
  reader.skip(2);
  const uint32_t bits = reader.u16();
  const uint32_t compression = size >= kInfoHeader ? reader.u32() : uint32_t{kPlain};
  const uint64_t packedBytes = size >= kInfoHeader ? reader.u32() : 0;
  if (!reader.ok() || width <= 0 || height == 0 || height == INT32_MIN) return damagedHeader(header.type);
  if (compression > kBitFields && compression != kAlphaFields) {
    return unsupportedKind(header.type, "with packing " + std::to_string(compression));
  }
  if (!isIn(kDepths, bits)) {
    return unsupportedKind(header.type, "of " + std::to_string(bits) + " bits a pixel");
  }
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(std::llabs(height));
  // Rows are padded to four bytes, which some encoders omit. The size of run-length data is only known from
  // the header.
  const bool runs = compression == kRunLength8 || compression == kRunLength4;
  const uint64_t rows =
      (static_cast<uint64_t>(header.width) * bits + 7) / 8 * static_cast<uint64_t>(header.height);
  header.complete = pixelsAt + (runs ? packedBytes : rows) <= file.size();
  return header;
}

}  // namespace framewright
