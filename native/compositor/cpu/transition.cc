#include "compositor/cpu/transition.h"

#include "compositor/cpu/transition_blocks.h"
#include "compositor/cpu/transition_color.h"
#include "compositor/cpu/transition_motion.h"

namespace framewright {
namespace {

// Short, for the table.
using C = const Crossing&;
using Inputs = CrossingInputs;
using P = double;
using S = const CanvasSize&;

constexpr Inputs kOver = Inputs::kFromInFrame, kUnder = Inputs::kToInFrame, kApart = Inputs::kApart,
                 kHalf = Inputs::kHalfInFrame;

constexpr TransitionStyle kStyles[] = {
    // Colours: transition_color.
    {"fade", kOver, fade},
    {"fadeblack", kOver,
     [](C c) {
       fadeThrough(c, {0, 0, 0, 255});
     }},
    {"fadewhite", kOver,
     [](C c) {
       fadeThrough(c, {255, 255, 255, 255});
     }},
    {"fadegrays", kOver, fadeThroughGrays},
    {"fadefast", kOver, [](C c) { fadeByDifference(c, FadeOrder::kFast); }},
    {"fadeslow", kOver, [](C c) { fadeByDifference(c, FadeOrder::kSlow); }},
    {"distance", kOver, fadeByDistance},
    // Movement: transition_motion.
    {"wipeleft", kOver,
     [](C c) {
       wipe(c, {-1, 0});
     }},
    {"wiperight", kOver,
     [](C c) {
       wipe(c, {1, 0});
     }},
    {"wipeup", kOver,
     [](C c) {
       wipe(c, {0, -1});
     }},
    {"wipedown", kOver,
     [](C c) {
       wipe(c, {0, 1});
     }},
    {"slideleft", kApart,
     [](C c) {
       slide(c, {-1, 0});
     }},
    {"slideright", kApart,
     [](C c) {
       slide(c, {1, 0});
     }},
    {"slideup", kApart,
     [](C c) {
       slide(c, {0, -1});
     }},
    {"slidedown", kApart,
     [](C c) {
       slide(c, {0, 1});
     }},
    {"coverleft", kOver,
     [](C c) {
       cover(c, {-1, 0});
     }},
    {"coverright", kOver,
     [](C c) {
       cover(c, {1, 0});
     }},
    {"coverup", kOver,
     [](C c) {
       cover(c, {0, -1});
     }},
    {"coverdown", kOver,
     [](C c) {
       cover(c, {0, 1});
     }},
    {"revealleft", kUnder,
     [](C c) {
       reveal(c, {-1, 0});
     }},
    {"revealright", kUnder,
     [](C c) {
       reveal(c, {1, 0});
     }},
    {"revealup", kUnder,
     [](C c) {
       reveal(c, {0, -1});
     }},
    {"revealdown", kUnder,
     [](C c) {
       reveal(c, {0, 1});
     }},
    {"squeezeh", kUnder, [](C c) { squeeze(c, Axis::kY); }},
    {"squeezev", kUnder, [](C c) { squeeze(c, Axis::kX); }},
    {"zoomin", kApart, zoomIn},
    // Masks: transition_mask.
    {"wipetl", kOver, nullptr,
     [](P p, S s) {
       return wipeCorner(p, s, Heading{-1, -1});
     }},
    {"wipetr", kOver, nullptr,
     [](P p, S s) {
       return wipeCorner(p, s, Heading{1, -1});
     }},
    {"wipebl", kOver, nullptr,
     [](P p, S s) {
       return wipeCorner(p, s, Heading{-1, 1});
     }},
    {"wipebr", kOver, nullptr,
     [](P p, S s) {
       return wipeCorner(p, s, Heading{1, 1});
     }},
    {"smoothleft", kOver, nullptr, [](P p, S) { return wipeSmoothly(p, Axis::kX, -1); }},
    {"smoothright", kOver, nullptr, [](P p, S) { return wipeSmoothly(p, Axis::kX, 1); }},
    {"smoothup", kOver, nullptr, [](P p, S) { return wipeSmoothly(p, Axis::kY, -1); }},
    {"smoothdown", kOver, nullptr, [](P p, S) { return wipeSmoothly(p, Axis::kY, 1); }},
    {"vertopen", kOver, nullptr, [](P p, S) { return moveDoors(p, Axis::kX, Doors::kOpen); }},
    {"vertclose", kOver, nullptr, [](P p, S) { return moveDoors(p, Axis::kX, Doors::kClose); }},
    {"horzopen", kOver, nullptr, [](P p, S) { return moveDoors(p, Axis::kY, Doors::kOpen); }},
    {"horzclose", kOver, nullptr, [](P p, S) { return moveDoors(p, Axis::kY, Doors::kClose); }},
    {"hlslice", kOver, nullptr, [](P p, S s) { return turnSlices(p, s, Axis::kX, -1); }},
    {"hrslice", kOver, nullptr, [](P p, S s) { return turnSlices(p, s, Axis::kX, 1); }},
    {"vuslice", kOver, nullptr, [](P p, S s) { return turnSlices(p, s, Axis::kY, -1); }},
    {"vdslice", kOver, nullptr, [](P p, S s) { return turnSlices(p, s, Axis::kY, 1); }},
    {"circleopen", kOver, nullptr, [](P p, S) { return moveIris(p, Doors::kOpen); }},
    {"circleclose", kOver, nullptr, [](P p, S) { return moveIris(p, Doors::kClose); }},
    {"circlecrop", kHalf, nullptr, [](P p, S s) { return cropCircle(p, s); }},
    {"rectcrop", kHalf, nullptr, [](P p, S s) { return cropRect(p, s); }},
    {"radial", kOver, nullptr, [](P p, S) { return sweep(p); }},
    {"diagtl", kOver, nullptr,
     [](P p, S) {
       return wipeDiagonally(p, Heading{-1, -1});
     }},
    {"diagtr", kOver, nullptr,
     [](P p, S) {
       return wipeDiagonally(p, Heading{1, -1});
     }},
    {"diagbl", kOver, nullptr,
     [](P p, S) {
       return wipeDiagonally(p, Heading{-1, 1});
     }},
    {"diagbr", kOver, nullptr,
     [](P p, S) {
       return wipeDiagonally(p, Heading{1, 1});
     }},
    {"hlwind", kOver, nullptr,
     [](P p, S) {
       return blow(p, Heading{-1, 0});
     }},
    {"hrwind", kOver, nullptr,
     [](P p, S) {
       return blow(p, Heading{1, 0});
     }},
    {"vuwind", kOver, nullptr,
     [](P p, S) {
       return blow(p, Heading{0, -1});
     }},
    {"vdwind", kOver, nullptr,
     [](P p, S) {
       return blow(p, Heading{0, 1});
     }},
    {"dissolve", kOver, nullptr, [](P p, S) { return dissolve(p); }},
    // Blocks and blur: transition_blocks.
    {"pixelize", kOver, pixelize},
    {"hblur", kOver, blurAcross},
};

}  // namespace

const TransitionStyle* findTransition(std::string_view name) {
  for (const TransitionStyle& style : kStyles) {
    if (style.name == name) return &style;
  }
  return nullptr;
}

std::span<const TransitionStyle> transitionStyles() { return kStyles; }

Error unknownTransition(const std::string& name) {
  return {ErrorCode::INVALID_TIMELINE,
          "The transition \"" + name + "\" is not known; known are " + transitionNames() + ".", ""};
}

std::string transitionNames() {
  std::string names;
  for (const TransitionStyle& style : kStyles) {
    if (!names.empty()) names += ", ";
    names += style.name;
  }
  return names;
}

}  // namespace framewright
