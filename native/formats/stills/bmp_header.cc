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

bool isKnownHeader(uint32_t size) {
  for (const uint32_t known : {kCoreHeader, 16u, kInfoHeader, 52u, 56u, 64u, 108u, 124u}) {
    if (size == known) return true;
  }
  return false;
}

bool isKnownDepth(uint32_t bits) {
  for (const uint32_t known : {1u, 4u, 8u, 16u, 24u, 32u}) {
    if (bits == known) return true;
  }
  return false;
}

}  // namespace

Result<ImageHeader> readBmpHeader(std::span<const uint8_t> file) {
  ImageHeader header{ImageType::kBmp};
  ByteReader reader(file, false);
  reader.skip(10);
  const uint64_t pixelsAt = reader.u32();
  const uint32_t size = reader.u32();
  if (!reader.ok() || !isKnownHeader(size)) return damagedHeader(header.type);
  const bool core = size == kCoreHeader;
  const int64_t width = core ? reader.u16() : static_cast<int32_t>(reader.u32());
  const int64_t height = core ? reader.u16() : static_cast<int32_t>(reader.u32());  // negative: from the top
  reader.skip(2);
  const uint32_t bits = reader.u16();
  const uint32_t compression = size >= kInfoHeader ? reader.u32() : uint32_t{kPlain};
  const uint64_t packedBytes = size >= kInfoHeader ? reader.u32() : 0;
  if (!reader.ok() || width <= 0 || height == 0 || height == INT32_MIN) return damagedHeader(header.type);
  if (compression > kBitFields && compression != kAlphaFields) {
    return unsupportedKind(header.type, "with packing " + std::to_string(compression));
  }
  if (!isKnownDepth(bits)) {
    return unsupportedKind(header.type, "of " + std::to_string(bits) + " bits a pixel");
  }
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(std::llabs(height));
  // Rows end on four bytes, which some writers forget. Of run lengths only the writer knows the size.
  const bool runs = compression == kRunLength8 || compression == kRunLength4;
  const uint64_t rows =
      (static_cast<uint64_t>(header.width) * bits + 7) / 8 * static_cast<uint64_t>(header.height);
  header.complete = pixelsAt + (runs ? packedBytes : rows) <= file.size();
  return header;
}

}  // namespace framewright
