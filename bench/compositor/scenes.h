#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compositor/compositor.h"

// Images and layers of the benchmark.
namespace framewright::bench {

inline constexpr int kWidth = 1920, kHeight = 1080;

[[noreturn]] void fail(const std::string& what);

template <typename T>
T require(Result<T> result) {
  if (!result.ok()) fail(result.error().message + " " + result.error().detail);
  return result.take();
}

// CPU time of the process.
double cpuSeconds();

// Indices into prepareImages(). kPhoto is larger than the canvas; kFlatPhoto, kVeil and kVideo have its size.
// kGrade is a color table, kLuma the grey image of a luma wipe.
enum Images { kPhoto, kTitle, kSubtitle, kLogo, kVeil, kFlatPhoto, kLetter, kVideo, kGrade, kLuma };
std::vector<PreparedImagePtr> prepareImages(Compositor& compositor);

Layer layerOf(int image, const Rect& rect, double opacity = 1);
// The canvas scaled about its centre.
Rect zoomed(double scale);
double zoomAt(int frame);
// A photo that is slowly zoomed in, two texts that move and fade, a logo.
DrawList typicalFrame(int frame);

}  // namespace framewright::bench
