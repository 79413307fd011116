#pragma once

#include <cstdint>
#include <vector>

#include "compositor/plan/transitions/transition_masks.h"
#include "kernels/page_curl.h"

// The old side of a transition as a page that is rolled off the new side. Shared by both backends, which do
// the same integer arithmetic. Pure; any thread.
namespace framewright {

// The page is flat before the fold, rolled about a cylinder behind it, and lies over itself beyond half a
// turn.
struct PageCurl {
  int normalX = 0, normalY = 0;  // Q12, towards the part that is rolled off
  // Along the normal, in 1/4 pixels and Q12: of the first step. Before it the page is flat, and after the
  // last step there is only the new side.
  int first = 0;
  std::vector<kernels::CurlStep> steps;  // 2^kernels::kCurlStepBits apart, and one more
  int shadowReach = 1;                   // around the page, in 1/256 pixels
  int shadowSlope = 0;                   // Q16 decrease of the shadow per 1/256 pixel

  // How many of the first steps are followed by one that, like them, shows the page alone.
  int wholeSteps() const;
  // The columns of a row of a plane within the steps. Where the normal points to the right, the flat page is
  // before them and the new side behind them, else the other way round.
  struct Columns {
    int first, end;
  };
  Columns columnsOf(bool isChroma, int y, int width) const;
  int positionInSteps(bool isChroma, int x, int y) const { return positionOf(isChroma, x, y) - first; }
  bool pointsRight() const { return normalX > 0; }

  // The position of a sample of a plane, which has left-sited chroma.
  int positionOf(bool isChroma, int x, int y) const {
    const int column = isChroma ? 8 * x + 2 : 4 * x + 2, row = isChroma ? 8 * y + 4 : 4 * y + 2;
    return column * normalX + row * normalY;
  }
};

// `heading`: where the page goes. 0 < progress < 1.
PageCurl pageCurl(double progress, const CanvasSize& canvas, Heading heading);

}  // namespace framewright
