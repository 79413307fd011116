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

// A frame to draw: the list, and images for its pictures that every compositor prepares for itself.
struct RandomCase {
  int width = 0, height = 0;
  DrawList list;
  std::vector<std::shared_ptr<Image>> images;  // by DrawList::pictures' index
  std::vector<bool> isVideo;
};

// The same for the same seed on every machine. Canvases are small, odd sizes among them.
RandomCase randomCase(uint64_t seed, const ListKinds& kinds);
// A transition between two lists of several layers, with a layer over it.
RandomCase randomTransition(uint64_t seed, std::string_view style, double progress);

// Prepares the case's pictures with a compositor and draws it. `pictures` gets them where it is given.
Result<std::shared_ptr<Image>> drawCase(Compositor& compositor, const RandomCase& random);

// How far two frames are apart.
struct FrameDifference {
  int largest = 0;
  int plane = 0, x = 0, y = 0;  // where
  int64_t samples = 0, differing = 0;
};
FrameDifference compareFrames(const Image& a, const Image& b);

// Mean structural similarity of the luma planes, in blocks of 8 x 8; 1 where equal.
double similarity(const Image& a, const Image& b);

}  // namespace framewright
