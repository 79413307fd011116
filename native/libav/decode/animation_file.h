#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "formats/animation/animation.h"
#include "libav/decode/frame_cache.h"
#include "libav/demux/local_file.h"

namespace framewright {

// Frames of an animated GIF, PNG or WebP file by time: complete, in display orientation, kRgbaStraight.
// Fastest with ascending times; a jump back decodes from the last independent frame. Used by one thread.
class AnimationFile {
 public:
  // `cancel` is checked while decoding and must outlive the object. Fails as readAnimation() does, or with
  // MEDIA_UNREADABLE when the image is not animated.
  static Result<std::unique_ptr<AnimationFile>> open(const std::string& path, const CancelToken& cancel);

  // Duration of one loop in microseconds.
  int64_t endUs() const { return animation_.endUs; }
  // The frame shown at `timeUs`; after the end the last one. Cached frames keep their pointer.
  Result<ImagePtr> frameAt(int64_t timeUs);

 private:
  explicit AnimationFile(const CancelToken& cancel) : cancel_(cancel) {}
  size_t frameIndexAt(int64_t timeUs) const;
  Result<ImagePtr> decode(const AnimationFrame& frame) const;
  bool isIndependent(size_t frame, size_t wanted) const;
  Status drawUpTo(size_t frame);
  Status draw(const AnimationFrame& frame);
  void dispose(const AnimationFrame& frame);

  const CancelToken& cancel_;
  std::unique_ptr<LocalFile> file_;
  Animation animation_;
  std::shared_ptr<Image> canvas_;
  std::shared_ptr<Image> covered_;  // pixels below the last frame if its disposal restores them
  size_t drawnCount_ = 0;           // frames drawn onto the canvas; the last one is not disposed of yet
  FrameCache cache_;
};

}  // namespace framewright
