#pragma once

#include <array>
#include <vector>

#include "core/image.h"

namespace framewright {

// XPSNR after Helmrich et al., "A study of the extended perceptually weighted peak signal-to-noise ratio
// (XPSNR)" (ITU Journal 3(1), 2020). The squared error of each block k of the reference is weighted by
// sqrt(a_pic) / a_k, where
//   a_k = max(4, mean |h_s| + 2 mean |h_t|)
// h_s is the luma after a 3x3 high-pass (12 in the centre, -2 beside, -1 diagonally), without the frame's
// outermost samples; h_t the difference to the previous frame, or from 32 frames per second on the difference
// of two such differences. Frames above 2048x1152 are filtered at half size. Blocks are N x N luma
// samples, N = 4 round(32 sqrt(r)), r = width x height / (3840 x 2160), and a_pic = 2048 / sqrt(r). Up to
// 640x480 a block's weight is at most the maximum of its left, right and upper neighbours. As in
// the authors' program, the frames before the first are black. Not thread-safe.
class XpsnrMeter {
 public:
  XpsnrMeter(int width, int height, double framesPerSecond);

  // Adds a frame in order; both images are kI420 of that size.
  void add(const ImagePtr& reference, const Image& decoded);
  // Y, U, V in dB: the roots of the frames' weighted errors are averaged before the logarithm.
  std::array<double, 3> planes() const;

  // Block weights of `reference`, row by row, given the two previous frames (null: black).
  std::vector<double> weights(const Plane& reference, const Plane* before, const Plane* beforeThat) const;
  int blockSize() const { return block_; }

 private:
  struct Block {
    int x, y, width, height;
  };
  double activity(const Plane& reference, const Plane* before, const Plane* beforeThat, Block block) const;
  void limitByNeighbours(std::vector<double>& weights) const;

  int width_, height_, block_, columns_, rows_;
  bool secondOrder_;
  double frameWeight_;
  ImagePtr before_, beforeThat_;
  std::array<double, 3> roots_{};
  std::array<double, 3> samples_{};
  int64_t frames_ = 0;
};

}  // namespace framewright
