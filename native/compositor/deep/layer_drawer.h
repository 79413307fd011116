#pragma once

#include <deque>
#include <span>

#include "compositor/deep/eight_bit_drawing.h"
#include "compositor/deep/pixel_effects.h"
#include "compositor/plan/layer_placement.h"
#include "timeline/draw_list.h"

namespace framewright {

// The image of a layer. Fails for an index that the list lacks.
Result<const DeepImage*> deepImageAt(int index, std::span<const PreparedImagePtr> images);

// Draws layers with effects on planes of 16 bits. Used by one thread.
class LayerSurfaces {
 public:
  virtual ~LayerSurfaces() = default;
  // Whether a layer is drawn here.
  virtual bool draws(const Layer& layer, std::span<const PreparedImagePtr> images) const = 0;
  // Draws it without its opacity, window and blend mode. `to` has alpha, and its corner at that of the
  // placement's buffer. `depth`: of groups around it.
  virtual Status draw(FloatImage& to, const Layer& layer, std::span<const PreparedImagePtr> images,
                      const LayerPlacement& placed, size_t depth) = 0;
};

// Draws layers that are no transitions. Reuses its surfaces; used by one thread.
class DeepLayerDrawer {
 public:
  DeepLayerDrawer(const CanvasCurves& curves, EightBitDrawing& eightBits)
      : curves_(curves), eightBits_(eightBits), images_(curves.color()) {}

  // Sets what draws effects on planes; it must outlive this.
  void useSurfaces(LayerSurfaces& surfaces) { surfaces_ = &surfaces; }

  // Draws a layer, whose coordinates are those of `to`. Fails for images that the list lacks, or with
  // OUT_OF_MEMORY.
  Status draw(FloatImage& to, const Layer& layer, std::span<const PreparedImagePtr> images, size_t depth = 0);
  // Draws a layer with its effects, but for opacity and blend mode. The corner of the buffer, which has
  // alpha, is at that of the placement's buffer.
  Status drawOffscreen(FloatImage& buffer, const Layer& layer, std::span<const PreparedImagePtr> images,
                       const LayerPlacement& placed, size_t depth = 0);

 private:
  Status drawContent(FloatImage& to, const Layer& layer, std::span<const PreparedImagePtr> images,
                     const Affine& toSurface, const Rect& window, double opacity, bool extendsEdges);
  FloatImage& bufferAt(size_t depth);

  const CanvasCurves& curves_;
  EightBitDrawing& eightBits_;
  LayerSurfaces* surfaces_ = nullptr;
  DeepImageDrawer images_;
  std::deque<FloatImage> buffers_;  // by depth of groups
};

}  // namespace framewright
