#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compositor/plan/transitions/transition_masks.h"

// The old side of a transition as a page that is rolled off the new side. Shared by both backends, which do
// the same integer arithmetic. Pure; any thread.
namespace framewright {

// What is seen at a distance from the fold.
struct CurlStep {
  int backShift = 0, frontShift = 0;  // along the normal to the place on the page, in 1/16 pixels
  int roll = 0;                       // Q8 weight of the page; 0 beyond the roll
  int shadow = 0;                     // Q8 darkness of what lies under the page
  // The back is seen as (sample * backGain + backOffset[group]) / 4096, and the front likewise.
  int backGain = 0, frontGain = 0;
  std::array<int, 2> backOffset{}, frontOffset{};  // luma, chroma
};

// The page is flat before the fold, rolled about a cylinder behind it, and lies over itself beyond half a
// turn.
struct PageCurl {
  int normalX = 0, normalY = 0;  // Q12, towards the part that is rolled off
  // Along the normal, in 1/4 pixels and Q12: of the first step. Before it the page is flat, and after the
  // last step there is only the new side.
  int first = 0;
  std::vector<CurlStep> steps;  // kCurlStep apart, and one more
  int shadowReach = 1;          // around the page, in 1/256 pixels
  int shadowSlope = 0;          // Q16 decrease of the shadow per 1/256 pixel

  // The position of a sample of a plane, which has left-sited chroma.
  int positionOf(bool isChroma, int x, int y) const {
    const int column = isChroma ? 8 * x + 2 : 4 * x + 2, row = isChroma ? 8 * y + 4 : 4 * y + 2;
    return column * normalX + row * normalY;
  }
};
inline constexpr int kCurlStepBits = 13;  // half a pixel

// `heading`: where the page goes. 0 < progress < 1.
PageCurl pageCurl(double progress, const CanvasSize& canvas, Heading heading);

}  // namespace framewright
