#pragma once

#include <deque>

#include "compositor/cpu/layers/draw_content.h"
#include "compositor/layer_times.h"
#include "compositor/plan/layer_placement.h"

namespace framewright {

// Draws consecutive layers without effects band by band, so that the rows of the frame are still in the CPU
// cache for the next layer. Reuses its buffers; used by one thread.
class LayerRun {
 public:
  // `times` accumulates the duration of each layer.
  explicit LayerRun(LayerTimes& times) : times_(times) {}

  bool empty() const { return count_ == 0; }
  // Adds a layer above those added before. The image must outlive flush().
  void add(const LayerContent& content, const LayerPlacement& placed, const CanvasSize& canvas,
           const PixelRect& part);
  void clear() { count_ = 0; }
  // Composites all added layers in `part` and clears the run.
  void flush(const Surface& to, const PixelRect& part);

 private:
  struct Member {
    bool isFill = true;
    int layerImage = LayerTimes::kNoImage;
    PixelRect extent;
    Rect hidden;  // area in which lower layers are invisible
    FillDrawer fill;
    ImageDrawer image;
  };
  void drawBand(const Surface& to, const PixelRect& band);

  LayerTimes& times_;
  std::deque<Member> members_;  // only the first `count_` are in use
  size_t count_ = 0;
};

}  // namespace framewright
