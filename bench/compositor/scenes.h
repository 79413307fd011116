#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compositor/compositor.h"

// The images and layers that are composed.
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

// Of prepareImages(). kPhoto is larger than the canvas, kFlatPhoto, kVeil and kFilm just as large.
enum Images { kPhoto, kTitle, kSubtitle, kLogo, kVeil, kFlatPhoto, kLetter, kFilm };
std::vector<PreparedImagePtr> prepareImages(Compositor& compositor);

Layer layerOf(int image, const Rect& rect, double opacity = 1);
// The canvas, nearer about its middle.
Rect zoomed(double scale);
double zoomAt(int frame);
// A photo that slowly comes nearer, two texts that move and fade, a logo.
DrawList typicalFrame(int frame);

}  // namespace framewright::bench
