#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "compositor/compositor.h"

namespace framewright {

// What random lists may hold.
struct ListKinds {
  bool effects = true;
  bool transitions = true;
};

// A frame to draw: the list, and images for its images that every compositor prepares for itself.
struct RandomCase {
  int width = 0, height = 0;
  DrawList list;
  std::vector<std::shared_ptr<Image>> images;  // by DrawList::images' index
  std::vector<bool> isVideo;
};

// The same for the same seed on every machine. Canvases are small, odd sizes among them.
RandomCase randomCase(uint64_t seed, const ListKinds& kinds);
// A transition between two lists of several layers, with a layer over it.
RandomCase randomTransition(uint64_t seed, std::string_view style, double progress);

// Prepares the case's images with a compositor and draws it into a frame of its own.
Result<std::shared_ptr<Image>> drawCase(Compositor& compositor, const RandomCase& random,
                                        PixelFormat wanted = PixelFormat::kI420);

}  // namespace framewright
