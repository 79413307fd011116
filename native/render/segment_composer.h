#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "compositor/compositor.h"
#include "render/audio/audio_levels.h"
#include "render/frame_pool.h"
#include "render/render.h"
#include "render/sources/image_loader.h"
#include "timeline/draw_list.h"

namespace framewright {

// Composes a range of frames in order, several at once where the compositor supports it. Equal neighbours are
// drawn once. `timeline` and `cancel` must outlive it. One thread.
class SegmentComposer {
 public:
  // `wanted` and `place`: see FramePool. `target`: of the compositor, see DecodeOptions.
  SegmentComposer(const Timeline& timeline, FrameRange range, std::unique_ptr<Compositor> compositor,
                  PixelFormat wanted, FramePlace place, const CancelToken& cancel,
                  std::shared_ptr<const DecodeTarget> target = nullptr);

  // The next frame to encode; the pointer of the previous frame when nothing changed.
  Result<ImagePtr> next();

  // Number of changes of the image within the frames that are read ahead, about one second.
  int64_t changesAhead() const;

  // Waits for the graphics device, which may draw frames that the encoder has already received. Call when the
  // encoder has finished.
  Status settle() { return compositor_->settle(); }

  // Sets the members of `result` that composing and decoding determine.
  void report(SegmentResult& result) const;

 private:
  // Equal neighbours share the image. `drawn` is the image if it is drawn rather than a decoded frame that is
  // passed through.
  struct Frame {
    DrawList list;
    ImagePtr image;
    std::shared_ptr<Image> drawn;
  };

  Status readAhead();
  Status startNext();
  Status draw(Frame& frame, const Frame& before);
  // Draws into `frame.drawn`.
  Status compose(const Frame& frame, const Frame& before, const std::vector<PreparedImagePtr>& images);
  void addLayerTimes(const LayerTimes& times, const DrawList& list);
  std::vector<ElementTimes> elementTimes() const;

  const Timeline& timeline_;
  const FrameRange range_;
  int64_t nextList_, nextFrame_;  // next frame to read ahead, next frame to start
  std::unique_ptr<Compositor> compositor_;
  const size_t framesAtOnce_;
  ImageLoader loader_;
  FramePool pool_;
  AudioLevels levels_;
  std::deque<DrawList> lists_;
  std::deque<Frame> started_;
  Frame finished_;
  std::vector<PreparedImagePtr> images_;  // of the frame started last
  int64_t composedFrames_ = 0;
  double composeSeconds_ = 0;
  std::map<int, double> layerSeconds_;  // by source; negative key: layers without a source
};

}  // namespace framewright
