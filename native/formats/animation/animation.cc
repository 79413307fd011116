#include "formats/animation/animation.h"

#include <cmath>
#include <string>

#include "formats/animation/formats.h"
#include "formats/supported_files.h"

namespace framewright {
namespace {

// Limit of the pixels of all frames of one play: an hour of a small image, three minutes of a large one.
constexpr int64_t kMaxDecodedPixels = 8'000'000'000;
// Three images of this size are kept in memory.
constexpr int64_t kMaxCanvasPixels = 16'777'216;
constexpr double kTooShortSeconds = 0.0105, kUsualSeconds = 0.1;

Error tooLarge(const std::string& reason) {
  return {ErrorCode::MEDIA_UNSUPPORTED, "the animated image is too large: " + reason, ""};
}

Result<FoundFrames> findFrames(ImageType type, std::span<const uint8_t> file) {
  switch (type) {
    case ImageType::kGif:
      return findGifFrames(file);
    case ImageType::kPng:
      return findPngFrames(file);
    case ImageType::kWebp:
      return findWebpFrames(file);
    default:
      return FoundFrames{};
  }
}

Status checkFrame(const AnimationFrame& frame, ImageType type) {
  if (frame.width <= 0 || frame.height <= 0 || frame.x < 0 || frame.y < 0) return damagedFrame(type);
  const int64_t pixels = int64_t{frame.width} * frame.height;
  if (frame.width > kMaxImageSide || frame.height > kMaxImageSide || pixels > kMaxImagePixels) {
    return tooLarge("one of its frames has " + std::to_string(frame.width) + "x" +
                    std::to_string(frame.height) + " pixels");
  }
  return {};
}

}  // namespace

Error damagedFrame(ImageType type) {
  return {ErrorCode::DECODE_FAILED, std::string("the ") + imageTypeName(type) + " has a damaged frame", ""};
}

Error tooManyFrames() {
  return tooLarge("it has more than the " + std::to_string(kMaxAnimationFrames) + " frames allowed");
}

Result<std::optional<Animation>> readAnimation(std::span<const uint8_t> file) {
  Animation animation;
  FW_ASSIGN_OR_RETURN(animation.header, readImageHeader(file));
  const ImageHeader& header = animation.header;
  FW_ASSIGN_OR_RETURN(FoundFrames found, findFrames(header.type, file));
  if (found.frames.size() < 2) return std::optional<Animation>();
  const int64_t canvas = int64_t{header.width} * header.height;
  if (canvas > kMaxCanvasPixels) {
    return tooLarge(std::to_string(header.width) + "x" + std::to_string(header.height) +
                    "; at most 16.7 megapixels are allowed for animated images");
  }
  animation.plays = found.plays;
  animation.shared = std::move(found.shared);
  double seconds = 0;
  int64_t pixels = 0;
  for (FoundFrame& next : found.frames) {
    FW_RETURN_IF_ERROR(checkFrame(next.frame, header.type));
    next.frame.startUs = std::llround(seconds * 1e6);
    seconds += next.seconds < kTooShortSeconds ? kUsualSeconds : next.seconds;
    pixels += int64_t{next.frame.width} * next.frame.height;
    animation.frames.push_back(next.frame);
  }
  if (pixels > kMaxDecodedPixels) {
    return tooLarge("its frames have " + std::to_string(pixels / 1'000'000) +
                    " megapixels together; at most 8000 are allowed");
  }
  animation.endUs = std::llround(seconds * 1e6);
  FW_RETURN_IF_ERROR(checkLength(animation.endUs));
  return std::optional<Animation>(std::move(animation));
}

Result<std::vector<uint8_t>> stillFileOf(const Animation& animation, const AnimationFrame& frame,
                                         std::span<const uint8_t> bytes) {
  switch (animation.header.type) {
    case ImageType::kGif:
      return gifStill(animation, frame, bytes);
    case ImageType::kPng:
      return pngStill(animation, frame, bytes);
    default:
      return webpStill(frame, bytes);
  }
}

}  // namespace framewright
