#pragma once

#include <functional>
#include <string_view>

#include "compositor/vulkan/layer_records.h"

namespace framewright::gpu {

enum class Side { kFrom, kTo };
// Planes that something is drawn on: bits of luma and chroma.
enum Groups : int { kLumaGroup = 1, kChromaGroup = 2, kBothGroups = 3 };

// A transition as layers over one another: what its style says is laid here.
struct TransitionLayers {
  double progress = 0;  // above 0, below 1
  double width = 0, height = 0;
  // The whole picture of a side, where it lies on the canvas.
  std::function<void(Side, const Placement&, Groups)> lay;
  std::function<void(const Color&, double opacity, Groups)> fill;

  Placement whole(double opacity = 1) const;
  Placement at(double x, double y) const;
};

// A style that is drawn so; the names are those of cpu/transition.cc.
struct LayeredTransition {
  std::string_view name;
  void (*draw)(const TransitionLayers& layers);
};
// Null for styles that are not.
const LayeredTransition* findLayeredTransition(std::string_view name);

}  // namespace framewright::gpu
