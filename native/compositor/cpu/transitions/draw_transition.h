#pragma once

#include "compositor/cpu/transitions/transition_frame.h"
#include "compositor/plan/transitions/transition_light.h"
#include "compositor/plan/transitions/transition_steps.h"

// The parts of drawTransition(), by kind of transition. All draw into `transition.frame`.
namespace framewright {

void fade(const TransitionFrame& transition, double progress);
void fadeThroughColor(const TransitionFrame& transition, const Color& color);
void fadeThroughGray(const TransitionFrame& transition);
void fadeByDifference(const TransitionFrame& transition, FadeOrder order);
void fadeByDistance(const TransitionFrame& transition);
void squeeze(const TransitionFrame& transition, Axis axis);
void pixelize(const TransitionFrame& transition);
void blurHorizontally(const TransitionFrame& transition);
void panWithBlur(const TransitionFrame& transition, Heading heading);
void drawGlitch(const TransitionFrame& transition);
void drawCurl(const TransitionFrame& transition, Heading heading);
void drawLight(const TransitionFrame& transition, const TransitionLight& light);
// Fills the buffer with the pattern's values.
void fitPattern(const TransitionFrame& transition, const TransitionPattern& pattern);
void drawMask(const TransitionFrame& transition, const TransitionMask& mask);

}  // namespace framewright
