#include "libav/decode/animation_file.h"

#include <algorithm>
#include <cstring>

#include "core/planes.h"
#include "formats/orientation.h"
#include "libav/av_error.h"
#include "libav/decode/still_decoder.h"
#include "libav/decode/video_decoder.h"

namespace framewright {
namespace {

// The part of a frame inside the canvas.
struct Area {
  int x, y, width, height;
};
Area areaOn(const Image& canvas, const AnimationFrame& frame) {
  const int x = std::min(frame.x, canvas.width()), y = std::min(frame.y, canvas.height());
  return {x, y, std::min(frame.width, canvas.width() - x), std::min(frame.height, canvas.height() - y)};
}

uint8_t* pixelOf(const Image& image, int x, int y) {
  return image.plane(0).data + y * image.plane(0).stride + ptrdiff_t{x} * 4;
}

// Blends `from` over `to`, both with straight alpha.
void blendPixel(const uint8_t* from, uint8_t* to) {
  const unsigned above = from[3];
  if (above == 255 || to[3] == 0) {
    std::memcpy(to, from, 4);
  } else if (above > 0) {
    const unsigned below = to[3] * (255 - above);  // scaled by 255 * 255
    const unsigned both = above * 255 + below;
    for (int i = 0; i < 3; ++i)
      to[i] = static_cast<uint8_t>((from[i] * above * 255 + to[i] * below + both / 2) / both);
    to[3] = static_cast<uint8_t>((both + 127) / 255);
  }
}

Result<ImagePtr> copyOf(const Image& image) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> copy,
                      Image::create(image.format(), image.width(), image.height()));
  copyPlane(image.plane(0), copy->plane(0), 4);
  return ImagePtr(copy);
}

void clear(Image& image, const Area& area) {
  for (int y = 0; y < area.height; ++y)
    std::memset(pixelOf(image, area.x, area.y + y), 0, static_cast<size_t>(area.width) * 4);
}

}  // namespace

Result<std::unique_ptr<AnimationFile>> AnimationFile::open(const std::string& path,
                                                           const CancelToken& cancel) {
  std::unique_ptr<AnimationFile> file(new AnimationFile(cancel));
  {
    FW_ASSIGN_OR_RETURN(const FileBytes bytes, readImageFile(path));
    FW_ASSIGN_OR_RETURN(auto animation, readAnimation(bytes.data()));
    if (!animation) return unreadableMedia("the image is not animated");
    file->animation_ = std::move(*animation);
  }
  FW_ASSIGN_OR_RETURN(file->file_, LocalFile::open(path));
  const ImageHeader& header = file->animation_.header;
  FW_ASSIGN_OR_RETURN(file->canvas_, Image::create(PixelFormat::kRgbaStraight, header.width, header.height));
  return file;
}

size_t AnimationFile::frameIndexAt(int64_t timeUs) const {
  const auto& frames = animation_.frames;
  // Times are rounded to microseconds, so a time just before a frame means that frame.
  const auto next =
      std::upper_bound(frames.begin() + 1, frames.end(), timeUs + kFrameTimeSlackUs,
                       [](int64_t time, const AnimationFrame& frame) { return time < frame.startUs; });
  return static_cast<size_t>(next - frames.begin()) - 1;
}

Result<ImagePtr> AnimationFile::frameAt(int64_t timeUs) {
  const size_t frame = frameIndexAt(timeUs);
  if (ImagePtr known = cache_.find(frame)) return known;
  FW_RETURN_IF_ERROR(drawUpTo(frame));
  FW_ASSIGN_OR_RETURN(ImagePtr image, copyOf(*canvas_));
  const Orientation orientation = orientationFromExif(animation_.header.exifOrientation);
  if (!orientation.isIdentity()) {
    FW_ASSIGN_OR_RETURN(image, applyOrientation(image, orientation));
  }
  cache_.store(frame, image);
  return image;
}

// Whether nothing drawn before `frame` is visible in `wanted`, which is the same or a later frame.
bool AnimationFile::isIndependent(size_t frame, size_t wanted) const {
  if (frame == 0) return true;
  const auto coversAll = [&](const AnimationFrame& one) {
    return one.x == 0 && one.y == 0 && one.width >= canvas_->width() && one.height >= canvas_->height();
  };
  const AnimationFrame &own = animation_.frames[frame], &before = animation_.frames[frame - 1];
  if (coversAll(before) && before.disposal == Disposal::kClear) return true;
  const bool hides = coversAll(own) && !own.blends;
  return hides && (frame == wanted || own.disposal != Disposal::kRestore);
}

Status AnimationFile::drawUpTo(size_t frame) {
  if (drawnCount_ == frame + 1) return {};
  size_t from = frame;
  while (from != drawnCount_ && !isIndependent(from, frame)) --from;
  // The canvas can be reused if it shows an earlier frame and no frame after it is independent.
  if (from != drawnCount_ || drawnCount_ == 0) {
    clear(*canvas_, {0, 0, canvas_->width(), canvas_->height()});
    covered_.reset();
    drawnCount_ = from;
  } else {
    dispose(animation_.frames[drawnCount_ - 1]);
  }
  while (true) {
    const auto status = draw(animation_.frames[drawnCount_]);
    drawnCount_ = status.ok() ? drawnCount_ + 1 : 0;
    if (!status.ok() || drawnCount_ == frame + 1) return status;
    dispose(animation_.frames[drawnCount_ - 1]);
  }
}

Status AnimationFile::draw(const AnimationFrame& frame) {
  if (cancel_.cancelled()) return cancelledError();
  FW_ASSIGN_OR_RETURN(const ImagePtr image, decode(frame));
  const Area area = areaOn(*canvas_, frame);
  if (frame.disposal == Disposal::kRestore && area.width > 0 && area.height > 0) {
    FW_ASSIGN_OR_RETURN(covered_, Image::create(PixelFormat::kRgbaStraight, area.width, area.height));
    for (int y = 0; y < area.height; ++y)
      std::memcpy(pixelOf(*covered_, 0, y), pixelOf(*canvas_, area.x, area.y + y),
                  static_cast<size_t>(area.width) * 4);
  }
  for (int y = 0; y < area.height; ++y) {
    const uint8_t* from = pixelOf(*image, 0, y);
    uint8_t* to = pixelOf(*canvas_, area.x, area.y + y);
    if (!frame.blends) {
      std::memcpy(to, from, static_cast<size_t>(area.width) * 4);
    } else {
      for (int x = 0; x < area.width; ++x) blendPixel(from + ptrdiff_t{x} * 4, to + ptrdiff_t{x} * 4);
    }
  }
  return {};
}

void AnimationFile::dispose(const AnimationFrame& frame) {
  const Area area = areaOn(*canvas_, frame);
  if (frame.disposal == Disposal::kClear) {
    clear(*canvas_, area);
  } else if (frame.disposal == Disposal::kRestore && covered_ != nullptr) {
    for (int y = 0; y < area.height; ++y)
      std::memcpy(pixelOf(*canvas_, area.x, area.y + y), pixelOf(*covered_, 0, y),
                  static_cast<size_t>(area.width) * 4);
    covered_.reset();
  }
}

Result<ImagePtr> AnimationFile::decode(const AnimationFrame& frame) const {
  std::vector<uint8_t> bytes(static_cast<size_t>(frame.length));
  FW_RETURN_IF_ERROR(file_->read(static_cast<int64_t>(frame.offset), bytes));
  FW_ASSIGN_OR_RETURN(std::vector<uint8_t> still, stillFileOf(animation_, frame, bytes));
  return decodeStillBytes(std::move(still), {frame.width, frame.height}, StillColors::kStraight);
}

}  // namespace framewright
