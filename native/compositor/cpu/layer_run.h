#pragma once

#include <deque>

#include "compositor/cpu/draw_content.h"
#include "compositor/cpu/placed_layer.h"
#include "compositor/layer_times.h"

namespace framewright {

// Draws layers that need no picture of their own, all of them band by band, so that the frame's rows are
// still in the cache when the next layer comes. Keeps its buffers; used by one thread.
class LayerRun {
 public:
  // Told how long each layer takes.
  explicit LayerRun(LayerTimes& times) : times_(times) {}

  bool empty() const { return count_ == 0; }
  // Over those added before. The picture must outlive flush().
  void add(const LayerContent& content, const PlacedLayer& placed, const CanvasSize& canvas,
           const PixelRect& part);
  void clear() { count_ = 0; }
  // Draws all of them over what is in `part`.
  void flush(const Surface& to, const PixelRect& part);

 private:
  struct Member {
    bool isFill = true;
    int layerPicture = LayerTimes::kNoPicture;
    PixelRect extent;
    Rect hidden;  // what lies under here cannot be seen
    FillDrawer fill;
    PictureDrawer picture;
  };
  void drawBand(const Surface& to, const PixelRect& band);

  LayerTimes& times_;
  std::deque<Member> members_;  // the first `count_` count
  size_t count_ = 0;
};

}  // namespace framewright
