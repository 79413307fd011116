#include "formats/gif/gif_writer.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "formats/gif/lzw.h"

namespace framewright::gif {
namespace {

// Browsers show shorter frames for a tenth of a second.
constexpr int64_t kMinDelayCs = 2;
constexpr int64_t kMaxDelayCs = 65535;
// Detail hides differences: levels by which a pixel may always differ, as a share of the contrast around it.
constexpr float kHiddenShare = 0.25f, kMaxHidden = 5;
constexpr uint8_t kKeepAfterFrame = 1, kClearAfterFrame = 2;

void appendWord(std::vector<uint8_t>& bytes, int64_t value) {
  bytes.push_back(static_cast<uint8_t>(value));
  bytes.push_back(static_cast<uint8_t>(value >> 8));
}

}  // namespace

GifWriter::GifWriter(int width, int height, const std::vector<Color>& palette, bool hasAlpha, float tolerance)
    : width_(width),
      height_(height),
      hasAlpha_(hasAlpha),
      tolerance_(tolerance),
      bits_(std::max(2, static_cast<int>(std::bit_width(palette.size())))),
      transparent_(static_cast<uint8_t>((1 << bits_) - 1)),
      mapper_(palette, transparent_),
      shown_(static_cast<size_t>(width) * static_cast<size_t>(height), transparent_) {}

Result<std::unique_ptr<GifWriter>> GifWriter::create(const std::string& path, int width, int height,
                                                     const std::vector<Color>& palette, bool hasAlpha,
                                                     float tolerance) {
  std::unique_ptr<GifWriter> writer(new GifWriter(width, height, palette, hasAlpha, tolerance));
  writer->file_.reset(std::fopen(path.c_str(), "wbe"));
  writer->appendHeader(palette);
  FW_RETURN_IF_ERROR(writer->flush());
  return writer;
}

void GifWriter::appendHeader(const std::vector<Color>& palette) {
  constexpr char kSignature[] = "GIF89a";
  bytes_.insert(bytes_.end(), kSignature, kSignature + 6);
  appendWord(bytes_, width_);
  appendWord(bytes_, height_);
  const auto size = static_cast<uint8_t>(bits_ - 1);
  bytes_.insert(bytes_.end(), {static_cast<uint8_t>(0x80 | size << 4 | size), transparent_, 0});
  for (size_t i = 0; i < size_t{1} << bits_; ++i) {
    const Color color = i < palette.size() ? palette[i] : Color{};
    bytes_.insert(bytes_.end(), {color.r, color.g, color.b});
  }
  constexpr char kLoop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00\x00";
  bytes_.insert(bytes_.end(), kLoop, kLoop + sizeof(kLoop) - 1);
}

Status GifWriter::flush() {
  const bool isWritten =
      file_ != nullptr && std::fwrite(bytes_.data(), 1, bytes_.size(), file_.get()) == bytes_.size();
  bytes_.clear();
  if (isWritten) return {};
  return Error{ErrorCode::IO_FAILED, "The GIF file cannot be written.", std::strerror(errno)};
}

Status GifWriter::add(const Image& image, double endSeconds) {
  const int64_t endCs = std::llround(endSeconds * 100);
  mapper_.map(image, next_);
  if (!hasPending_) pending_.assign(next_.size(), transparent_);
  keepColors(image);
  const bool isEqual = hasPending_ && next_ == pending_;
  const bool isTooShort = hasPending_ && endCs_ - startCs_ < kMinDelayCs && !needsClear();
  if (hasPending_ && !isEqual && !isTooShort) {
    FW_RETURN_IF_ERROR(writePending(needsClear()));
    startCs_ = endCs_;
  }
  // A frame that is too short to show is replaced by its successor.
  std::swap(pending_, next_);
  hasPending_ = true;
  endCs_ = endCs;
  return {};
}

// Gives pixels of the next frame their present index where that shows the image about as well.
void GifWriter::keepColors(const Image& image) {
  const Plane& plane = image.plane(0);
  size_t at = 0;
  for (int y = 0; y < height_; ++y) {
    const uint8_t* pixel = plane.data + y * plane.stride;
    for (int x = 0; x < width_; ++x, pixel += 4, ++at) {
      const uint8_t present = pending_[at], best = next_[at];
      if (present == best || present == transparent_ || best == transparent_) continue;
      const auto contrast = static_cast<float>(contrastAt(image, x, y));
      const float hidden = std::min(contrast * kHiddenShare, kMaxHidden);
      const float limit = std::max(hidden, mapper_.distance(best, pixel) + tolerance_);
      if (mapper_.distance(present, pixel) <= limit) next_[at] = present;
    }
  }
}

// Whether the next frame is transparent where the pending one is not.
bool GifWriter::needsClear() const {
  for (size_t i = 0; i < next_.size(); ++i) {
    if (next_[i] == transparent_ && pending_[i] != transparent_) return true;
  }
  return false;
}

bool GifWriter::isChanged(size_t pixel) const { return pending_[pixel] != shown_[pixel]; }

Status GifWriter::writePending(bool clearsAfter) {
  // Only the frame's own rectangle is cleared, so a frame that is cleared covers the canvas.
  int left = width_, right = 0, top = height_, bottom = 0;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      if (!isChanged(static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x))) continue;
      left = std::min(left, x), right = std::max(right, x + 1);
      top = std::min(top, y), bottom = std::max(bottom, y + 1);
    }
  }
  if (clearsAfter) left = top = 0, right = width_, bottom = height_;
  if (right <= left) left = top = 0, right = bottom = 1;
  std::vector<uint8_t> indices;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      const size_t at = static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
      indices.push_back(isChanged(at) ? pending_[at] : transparent_);
    }
  }
  const int64_t delay = std::clamp(endCs_ - startCs_, kMinDelayCs, kMaxDelayCs);
  const uint8_t disposal = clearsAfter ? kClearAfterFrame : kKeepAfterFrame;
  bytes_.insert(bytes_.end(), {0x21, 0xF9, 0x04, static_cast<uint8_t>(disposal << 2 | 1)});
  appendWord(bytes_, delay);
  bytes_.insert(bytes_.end(), {transparent_, 0, 0x2C});
  for (const int value : {left, top, right - left, bottom - top}) appendWord(bytes_, value);
  bytes_.push_back(0);
  appendLzw(indices, bits_, bytes_);
  if (clearsAfter) {
    std::fill(shown_.begin(), shown_.end(), transparent_);
  } else {
    shown_ = pending_;
  }
  return flush();
}

Status GifWriter::finish() {
  if (hasPending_) FW_RETURN_IF_ERROR(writePending(hasAlpha_));
  bytes_.push_back(0x3B);
  FW_RETURN_IF_ERROR(flush());
  if (std::fflush(file_.get()) == 0) return {};
  return Error{ErrorCode::IO_FAILED, "The GIF file cannot be written.", std::strerror(errno)};
}

}  // namespace framewright::gif
