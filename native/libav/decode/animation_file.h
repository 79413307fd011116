#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "formats/animation/animation.h"

namespace framewright {

// The pictures of an animated GIF, PNG or WebP file by time, whole and upright, as kRgbaStraight. Made for
// ascending times; a jump back begins at the last frame that needs none before it. Used by one thread.
class AnimationFile {
 public:
  // `cancel` is asked while decoding and must outlive the file. Fails with what readAnimation() fails with,
  // and MEDIA_UNREADABLE when nothing moves.
  static Result<std::unique_ptr<AnimationFile>> open(const std::string& path, const CancelToken& cancel);
  ~AnimationFile();
  AnimationFile(const AnimationFile&) = delete;
  AnimationFile& operator=(const AnimationFile&) = delete;

  // Where one round ends, microseconds.
  int64_t endUs() const { return animation_.endUs; }
  // The picture of the frame at that moment, of the last one after the end; the same pointer while it stays
  // and, of small pictures, when it comes again.
  Result<ImagePtr> frameAt(int64_t timeUs);

 private:
  struct CachedFrame {
    size_t frame = 0;
    ImagePtr image;
  };

  explicit AnimationFile(const CancelToken& cancel) : cancel_(cancel) {}
  size_t frameIndexAt(int64_t timeUs) const;
  Result<ImagePtr> decode(const AnimationFrame& frame) const;
  bool standsAlone(size_t frame, size_t wanted) const;
  Status drawUpTo(size_t frame);
  Status draw(const AnimationFrame& frame);
  void dispose(const AnimationFrame& frame);
  void store(size_t frame, const ImagePtr& image);

  const CancelToken& cancel_;
  int descriptor_ = -1;
  Animation animation_;
  std::shared_ptr<Image> canvas_;
  std::shared_ptr<Image> covered_;  // what was where the last frame lies, when that comes back
  size_t drawn_ = 0;                // frames on the canvas, the last of them not yet disposed of
  std::deque<CachedFrame> cache_;   // latest first
};

}  // namespace framewright
