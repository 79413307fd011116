#include <cstring>

#include "core/byte_reader.h"
#include "formats/animation/formats.h"

namespace framewright {
namespace {

constexpr uint8_t kExtension = 0x21, kImageSeparator = 0x2C;
constexpr uint8_t kControl = 0xF9, kApplication = 0xFF;
constexpr size_t kDescriptorBytes = 10;  // size of an image descriptor, with its separator
constexpr uint8_t kHasTable = 0x80;

size_t tableBytes(uint8_t flags) { return size_t{3} << ((flags & 7) + 1); }

// Skips data sub-blocks up to the empty terminator.
void skipBlocks(ByteReader& reader) {
  for (uint8_t size = reader.u8(); size != 0 && reader.ok(); size = reader.u8()) reader.skip(size);
}

// A graphic control extension; applies to the next image.
struct Control {
  Disposal disposal = Disposal::kKeep;
  double seconds = 0;
  int transparentIndex = -1;
};

void readControl(ByteReader& reader, Control& control) {
  const uint8_t size = reader.u8();
  if (size >= 4) {
    const uint8_t flags = reader.u8();
    control.seconds = reader.u16() / 100.0;
    const uint8_t index = reader.u8();
    control.transparentIndex = (flags & 1) != 0 ? index : -1;
    const int method = flags >> 2 & 7;
    // Some encoders write 4 instead of 3.
    control.disposal = method == 2                  ? Disposal::kClear
                       : method == 3 || method == 4 ? Disposal::kRestore
                                                    : Disposal::kKeep;
    reader.skip(size - 4u);
  } else {
    reader.skip(size);
  }
  if (size != 0) skipBlocks(reader);
}

void readApplication(ByteReader& reader, int& plays) {
  const uint8_t size = reader.u8();
  const bool loops =
      size == 11 && (reader.startsWith("NETSCAPE2.0", 11) || reader.startsWith("ANIMEXTS1.0", 11));
  reader.skip(size);
  if (loops && reader.startsWith("\x03\x01", 2)) {
    reader.skip(2);
    const int repeats = reader.u16();
    plays = repeats == 0 ? 0 : repeats + 1;
  }
  if (size != 0) skipBlocks(reader);
}

AnimationFrame readImageDescriptor(ByteReader& reader, const Control& control) {
  AnimationFrame frame;
  frame.offset = reader.position() - 1;
  frame.x = reader.u16();
  frame.y = reader.u16();
  frame.width = reader.u16();
  frame.height = reader.u16();
  const uint8_t flags = reader.u8();
  if ((flags & kHasTable) != 0) reader.skip(tableBytes(flags));
  reader.skip(1);
  skipBlocks(reader);
  frame.length = reader.position() - frame.offset;
  frame.disposal = control.disposal;
  frame.transparentIndex = control.transparentIndex;
  frame.blends = control.transparentIndex >= 0;
  return frame;
}

}  // namespace

Result<FoundFrames> findGifFrames(std::span<const uint8_t> file) {
  FoundFrames found;
  ByteReader reader(file, false);
  reader.skip(10);
  const uint8_t flags = reader.u8();
  reader.skip(2);
  // Flags and global colour table, for frames without a local one.
  found.shared.push_back(flags);
  if ((flags & kHasTable) != 0) {
    const auto table = reader.take(tableBytes(flags));
    found.shared.insert(found.shared.end(), table.begin(), table.end());
  }
  Control control;
  while (reader.ok() && reader.remaining() > 0) {
    const uint8_t kind = reader.u8();
    if (kind == kExtension) {
      const uint8_t label = reader.u8();
      if (label == kControl) {
        readControl(reader, control);
      } else if (label == kApplication) {
        readApplication(reader, found.plays);
      } else {
        skipBlocks(reader);
      }
    } else if (kind == kImageSeparator) {
      if (found.frames.size() == kMaxAnimationFrames) return tooManyFrames();
      const AnimationFrame frame = readImageDescriptor(reader, control);
      found.frames.push_back({frame, control.seconds});
      control = {};
    } else {
      break;  // trailer, or data that players treat as one
    }
  }
  if (!reader.ok())
    return Error{ErrorCode::DECODE_FAILED, "the gif file is truncated: frames are missing", ""};
  return found;
}

Result<std::vector<uint8_t>> gifStill(const Animation& animation, const AnimationFrame& frame,
                                      std::span<const uint8_t> bytes) {
  if (bytes.size() < kDescriptorBytes || bytes[0] != kImageSeparator || animation.shared.empty())
    return damagedFrame(ImageType::kGif);
  std::vector<uint8_t> still{'G', 'I', 'F', '8', '9', 'a'};
  const auto u16 = [&](int value) {
    still.push_back(static_cast<uint8_t>(value));
    still.push_back(static_cast<uint8_t>(value >> 8));
  };
  u16(frame.width);
  u16(frame.height);
  still.insert(still.end(), {animation.shared[0], 0, 0});
  still.insert(still.end(), animation.shared.begin() + 1, animation.shared.end());
  if (frame.transparentIndex >= 0) {
    const auto index = static_cast<uint8_t>(frame.transparentIndex);
    still.insert(still.end(), {kExtension, kControl, 4, 1, 0, 0, index, 0});
  }
  still.push_back(kImageSeparator);
  u16(0);
  u16(0);
  still.insert(still.end(), bytes.begin() + 5, bytes.end());
  still.push_back(0x3B);
  return still;
}

}  // namespace framewright
