#include "libav/decode/animation_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "formats/orientation.h"
#include "libav/decode/still_decoder.h"
#include "libav/decode/video_decoder.h"
#include "libav/demux/byte_source.h"

namespace framewright {
namespace {

constexpr int64_t kMaxAnimationBytes = 256 << 20;
constexpr size_t kMaxHeldBytes = size_t{64} << 20;

// The part of a frame that lies on the canvas.
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

// `from` laid over `to`, both straight.
void blendPixel(const uint8_t* from, uint8_t* to) {
  const unsigned above = from[3];
  if (above == 255 || to[3] == 0) {
    std::memcpy(to, from, 4);
  } else if (above > 0) {
    const unsigned below = to[3] * (255 - above);  // of 255 * 255
    const unsigned both = above * 255 + below;
    for (int i = 0; i < 3; ++i)
      to[i] = static_cast<uint8_t>((from[i] * above * 255 + to[i] * below + both / 2) / both);
    to[3] = static_cast<uint8_t>((both + 127) / 255);
  }
}

Result<ImagePtr> copyOf(const Image& image) {
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> copy,
                      Image::create(image.format(), image.width(), image.height()));
  for (int y = 0; y < image.height(); ++y)
    std::memcpy(pixelOf(*copy, 0, y), pixelOf(image, 0, y), static_cast<size_t>(image.width()) * 4);
  return ImagePtr(copy);
}

void clear(Image& image, const Area& area) {
  for (int y = 0; y < area.height; ++y)
    std::memset(pixelOf(image, area.x, area.y + y), 0, static_cast<size_t>(area.width) * 4);
}

Error changed() {
  return {ErrorCode::MEDIA_UNREADABLE, "the animated picture cannot be read (it changed meanwhile)", ""};
}

}  // namespace

Result<std::unique_ptr<AnimationFile>> AnimationFile::open(const std::string& path,
                                                           const CancelToken& cancel) {
  std::unique_ptr<AnimationFile> file(new AnimationFile(cancel));
  {
    FW_ASSIGN_OR_RETURN(const FileBytes bytes, readFileBytes(path, kMaxAnimationBytes));
    FW_ASSIGN_OR_RETURN(auto animation, readAnimation({bytes.padded.data(), bytes.size}));
    if (!animation) return Error{ErrorCode::MEDIA_UNREADABLE, "the picture is not animated", ""};
    file->animation_ = std::move(*animation);
  }
  file->descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file->descriptor_ < 0) return changed();
  const ImageHeader& header = file->animation_.header;
  FW_ASSIGN_OR_RETURN(file->canvas_, Image::create(PixelFormat::kRgbaStraight, header.width, header.height));
  return file;
}

AnimationFile::~AnimationFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

size_t AnimationFile::frameIndexAt(int64_t timeUs) const {
  const auto& frames = animation_.frames;
  // Moments are rounded to microseconds; one that is all but the next frame belongs to it.
  const auto next =
      std::upper_bound(frames.begin() + 1, frames.end(), timeUs + kFrameTimeSlackUs,
                       [](int64_t time, const AnimationFrame& frame) { return time < frame.startUs; });
  return static_cast<size_t>(next - frames.begin()) - 1;
}

Result<ImagePtr> AnimationFile::frameAt(int64_t timeUs) {
  const size_t frame = frameIndexAt(timeUs);
  const auto known =
      std::find_if(cache_.begin(), cache_.end(), [&](const CachedFrame& h) { return h.frame == frame; });
  if (known != cache_.end()) {
    std::rotate(cache_.begin(), known, known + 1);
    return cache_.front().image;
  }
  FW_RETURN_IF_ERROR(drawUpTo(frame));
  FW_ASSIGN_OR_RETURN(ImagePtr image, copyOf(*canvas_));
  const Orientation orientation = orientationFromExif(animation_.header.exifOrientation);
  if (!orientation.isIdentity()) {
    FW_ASSIGN_OR_RETURN(image, applyOrientation(image, orientation));
  }
  store(frame, image);
  return image;
}

void AnimationFile::store(size_t frame, const ImagePtr& image) {
  const size_t each = static_cast<size_t>(canvas_->width()) * static_cast<size_t>(canvas_->height()) * 4;
  const size_t most = std::max<size_t>(1, kMaxHeldBytes / each);
  while (cache_.size() >= most) cache_.pop_back();
  cache_.push_front({frame, image});
}

// Nothing of what was drawn before it is seen at `wanted`, the same frame or a later one.
bool AnimationFile::standsAlone(size_t frame, size_t wanted) const {
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
  if (drawn_ == frame + 1) return {};
  size_t from = frame;
  while (from != drawn_ && !standsAlone(from, frame)) --from;
  // The canvas can be reused if it shows an earlier frame and no frame after it stands alone.
  if (from != drawn_ || drawn_ == 0) {
    clear(*canvas_, {0, 0, canvas_->width(), canvas_->height()});
    covered_.reset();
    drawn_ = from;
  } else {
    dispose(animation_.frames[drawn_ - 1]);
  }
  while (true) {
    auto status = draw(animation_.frames[drawn_]);
    if (!status.ok()) {
      drawn_ = 0;
      return status;
    }
    ++drawn_;
    if (drawn_ == frame + 1) return {};
    dispose(animation_.frames[drawn_ - 1]);
  }
}

Status AnimationFile::draw(const AnimationFrame& frame) {
  if (cancel_.cancelled()) return Error{ErrorCode::CANCELLED, "the render was cancelled", ""};
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
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(frame.offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return changed();
    done += static_cast<size_t>(got);
  }
  FW_ASSIGN_OR_RETURN(std::vector<uint8_t> still, stillFileOf(animation_, frame, bytes));
  return decodeStillBytes(std::move(still), {frame.width, frame.height}, StillColors::kStraight);
}

}  // namespace framewright
