#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "core/byte_reader.h"
#include "formats/stills/formats.h"

namespace framewright {
namespace {

enum Tag : uint16_t {
  kWidth = 256,
  kHeight = 257,
  kBitsPerSample = 258,
  kCompression = 259,
  kColours = 262,
  kOrientation = 274,
  kTileWidth = 322,
  kExtraSamples = 338,
  kSampleFormat = 339,
  kDngVersion = 50706,
};
constexpr std::array kReadTags{kWidth,       kHeight,    kBitsPerSample, kCompression,  kColours,
                               kOrientation, kTileWidth, kExtraSamples,  kSampleFormat, kDngVersion};
// Tags that describe the pixel data, in ascending order.
constexpr std::array<uint16_t, 15> kPixelTags{kWidth,
                                              kHeight,
                                              kBitsPerSample,
                                              kCompression,
                                              kColours,
                                              /* bits from the right */ 266,
                                              /* strips: where */ 273,
                                              /* samples */ 277,
                                              /* rows */ 278,
                                              /* bytes */ 279,
                                              /* planes */ 284,
                                              /* fax */ 292,
                                              293,
                                              /* predictor */ 317,
                                              /* palette */ 320};
constexpr size_t kFieldBytes = 12;
enum FieldType : uint16_t { kByte = 1, kShort = 3, kLong = 4 };

// The first value of each field in kReadTags; duplicates are ignored.
class Directory {
 public:
  // Reads the first directory; empty if there is none.
  static Directory first(std::span<const uint8_t> tiff) {
    ByteReader reader(tiff);
    if (reader.startsWith("II", 2)) reader.setBigEndian(false);
    reader.skip(4);
    reader.seek(reader.u32());
    Directory directory;
    const int count = reader.u16();
    for (int i = 0; i < count && reader.ok(); ++i) directory.readField(reader);
    directory.complete_ = reader.ok();
    return directory;
  }

  bool isComplete() const { return complete_; }
  std::optional<uint32_t> valueOf(Tag tag) const {
    for (size_t i = 0; i < kReadTags.size(); ++i) {
      if (kReadTags[i] == tag) return values_[i];
    }
    return std::nullopt;
  }
  uint32_t valueOr(Tag tag, uint32_t otherwise) const { return valueOf(tag).value_or(otherwise); }

 private:
  void readField(ByteReader& reader) {
    const uint16_t tag = reader.u16(), type = reader.u16();
    const uint32_t count = reader.u32();
    ByteReader value = reader;
    reader.skip(4);
    const int bytes = type == kByte ? 1 : type == kShort ? 2 : type == kLong ? 4 : 0;
    if (!reader.ok() || bytes == 0 || count == 0) return;
    // Values larger than four bytes are stored at an offset.
    if (count > 4 / static_cast<uint32_t>(bytes)) value.seek(value.u32());
    const uint32_t first = value.read(bytes);
    if (!value.ok()) return;
    for (size_t i = 0; i < kReadTags.size(); ++i) {
      if (kReadTags[i] == tag && !values_[i]) values_[i] = first;
    }
  }

  std::array<std::optional<uint32_t>, kReadTags.size()> values_;
  bool complete_ = false;
};

const char* packingName(uint32_t compression) {
  switch (compression) {
    case 6:
    case 7:
      return "JPEG";
    case 34661:
      return "JBIG";
    case 34712:
      return "JPEG 2000";
    case 34925:
      return "LZMA";
    case 50000:
      return "Zstandard";
    case 50001:
      return "WebP";
    default:
      return nullptr;
  }
}

bool isPackingRead(uint32_t compression) {
  constexpr uint32_t kDeflateOfOld = 32946, kPackBits = 32773;
  // Uncompressed, three fax variants, LZW, deflate.
  constexpr std::array<uint32_t, 8> kRead{1, 2, 3, 4, 5, 8, kDeflateOfOld, kPackBits};
  return std::find(kRead.begin(), kRead.end(), compression) != kRead.end();
}

const char* foreignColours(uint32_t colours) {
  switch (colours) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 5:
      return nullptr;
    case 6:
      return "in YCbCr";
    case 8:
    case 9:
    case 10:
      return "in Lab colours";
    case 32803:
    case 34892:
      return "of a camera's raw samples";
    default:
      return "in unknown colours";
  }
}

// Empty if the file can be decoded.
std::string unsupportedTiffReason(const Directory& fields) {
  if (fields.valueOf(kDngVersion)) return "of a camera's raw samples";
  const uint32_t compression = fields.valueOr(kCompression, 1);
  if (!isPackingRead(compression)) {
    const char* name = packingName(compression);
    return "packed by " + (name != nullptr ? std::string(name) : "method " + std::to_string(compression));
  }
  if (const char* colours = foreignColours(fields.valueOr(kColours, 1))) return colours;
  if (fields.valueOf(kTileWidth)) return "cut into tiles";
  if (fields.valueOr(kSampleFormat, 1) != 1) return "of other samples than unsigned numbers";
  const uint32_t bits = fields.valueOr(kBitsPerSample, 1);
  if (bits > 16) return "of " + std::to_string(bits) + " bits a colour";
  return {};
}

}  // namespace

int tiffOrientation(std::span<const uint8_t> tiff) {
  const uint32_t value = Directory::first(tiff).valueOr(kOrientation, 1);
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

void keepOnlyPixelFields(std::span<uint8_t> tiff) {
  ByteReader reader(tiff);
  const bool bigEndian = !reader.startsWith("II", 2);
  reader.setBigEndian(bigEndian);
  reader.skip(4);
  reader.seek(reader.u32());
  const size_t start = reader.position();
  const size_t count = reader.u16();
  if (!reader.ok() || reader.remaining() < count * kFieldBytes) return;
  using Field = std::array<uint8_t, kFieldBytes>;
  std::array<std::optional<Field>, kPixelTags.size()> fields;
  for (size_t i = 0; i < count; ++i) {
    const size_t from = reader.position();
    const auto tag = std::find(kPixelTags.begin(), kPixelTags.end(), reader.u16());
    reader.skip(kFieldBytes - 2);
    if (tag == kPixelTags.end()) continue;
    auto& field = fields[static_cast<size_t>(tag - kPixelTags.begin())];
    if (!field) std::memcpy(field.emplace().data(), &tiff[from], kFieldBytes);
  }
  size_t written = 0;
  for (const auto& field : fields) {
    if (field) std::memcpy(&tiff[start + 2 + kFieldBytes * written++], field->data(), kFieldBytes);
  }
  tiff[start + (bigEndian ? 1 : 0)] = static_cast<uint8_t>(written);
  tiff[start + (bigEndian ? 0 : 1)] = 0;
  // Terminates the directory chain. An unchanged directory keeps its link, which the decoder does not follow.
  if (written < count) std::memset(&tiff[start + 2 + kFieldBytes * written], 0, 4);
}

Result<ImageHeader> readTiffHeader(std::span<const uint8_t> file) {
  ImageHeader header{ImageType::kTiff};
  const Directory fields = Directory::first(file);
  // Many encoders write the directory after the pixel data.
  if (!fields.isComplete()) return truncatedImage(header.type);
  const uint32_t width = fields.valueOr(kWidth, 0), height = fields.valueOr(kHeight, 0);
  if (width == 0 || height == 0 || width > INT32_MAX || height > INT32_MAX) {
    return damagedHeader(header.type);
  }
  const std::string reason = unsupportedTiffReason(fields);
  if (!reason.empty()) return unsupportedKind(header.type, reason);
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(height);
  header.exifOrientation = tiffOrientation(file);
  header.premultiplied = fields.valueOr(kExtraSamples, 0) == 1;
  return header;
}

}  // namespace framewright
