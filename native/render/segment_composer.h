#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compositor/compositor.h"
#include "render/frame_pool.h"
#include "render/movie_levels.h"
#include "render/picture_supply.h"
#include "render/render.h"
#include "timeline/draw_list.h"

namespace framewright {

// Composes a range of frames one after another, several at a time where the compositor does; equal neighbours
// are drawn once. The timeline and the token outlive it.
class SegmentComposer {
 public:
  SegmentComposer(const Timeline& timeline, FrameRange range, std::unique_ptr<Compositor> compositor,
                  PixelFormat wanted, FramePlace place, const CancelToken& cancel);

  // The frame to encode next; the same pointer as before when nothing changed.
  Result<ImagePtr> next();

  // How often the picture changes within the next second or so, of which the lists are known.
  int64_t changesAhead() const;

  // Adds what drawing and decoding took, and how they went.
  void describe(SegmentFacts& facts);

 private:
  // What a frame shows; neighbours may share the image.
  struct Shown {
    DrawList list;
    std::shared_ptr<Image> image;
  };

  Status lookAhead();
  Status start();
  Status draw(Shown& drawn, const Shown& before);
  void noteLayers(const LayerTimes& times, const DrawList& list);
  std::vector<ElementTimes> elementTimes();

  const Timeline& timeline_;
  const FrameRange range_;
  int64_t nextList_, nextFrame_;  // to be listed, to be started
  std::unique_ptr<Compositor> compositor_;
  const size_t framesAtOnce_;
  PictureSupply supply_;
  FramePool pool_;
  MovieLevels levels_;
  std::deque<DrawList> lists_;
  std::deque<Shown> started_;
  Shown shown_;
  std::vector<PreparedImagePtr> pictures_;  // of the frame started last
  int64_t composedFrames_ = 0;
  double composeSeconds_ = 0;
  std::map<int, double> layerSeconds_;  // by source; below 0 where there is none
};

}  // namespace framewright
