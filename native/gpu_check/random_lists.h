#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "compositor/compositor.h"

namespace framewright {

// Features that random lists may use.
struct ListKinds {
  bool effects = true;
  bool transitions = true;
};

// A list with its source images, which each compositor prepares.
struct RandomCase {
  int width = 0, height = 0;
  DrawList list;
  std::vector<std::shared_ptr<Image>> images;  // by index in DrawList::images
  std::vector<bool> isVideo;
  ImagePtr grade;  // color table of gradeTableImage(), at the last index of DrawList::images; may be null
};

// A random case, equal on every machine for the same seed. Canvases are small, some of odd size.
RandomCase randomCase(uint64_t seed, const ListKinds& kinds);
// A case with a transition between two lists of several layers, below another layer.
RandomCase randomTransition(uint64_t seed, std::string_view style, double progress);

// Changes all layers of a list, also those of transitions and groups.
void forAllLayers(DrawList& list, const std::function<void(Layer&)>& change);
// Removes from a layer what devices leave to the CPU in frames of 10 bits.
void removeHostEffects(Layer& layer);
// Removes the blend mode: luma depends on chroma then, which planes of 10 bits have at another resolution.
void removeBlendMode(Layer& layer);

// Prepares the case's images with a compositor and draws it into a new frame.
Result<std::shared_ptr<Image>> drawCase(Compositor& compositor, const RandomCase& random,
                                        PixelFormat wanted = PixelFormat::kI420);

}  // namespace framewright
