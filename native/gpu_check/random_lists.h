#pragma once

#include <cstdint>
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

// Prepares the case's images with a compositor and draws it into a new frame.
Result<std::shared_ptr<Image>> drawCase(Compositor& compositor, const RandomCase& random,
                                        PixelFormat wanted = PixelFormat::kI420);

}  // namespace framewright
