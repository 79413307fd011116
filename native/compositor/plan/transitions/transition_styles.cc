#include "compositor/plan/transitions/transition_styles.h"

namespace framewright {
namespace {

using enum TransitionKind;
constexpr TransitionInputs kOver = TransitionInputs::kFromInFrame, kUnder = TransitionInputs::kToInFrame,
                           kSeparate = TransitionInputs::kSeparate, kHalf = TransitionInputs::kHalfInFrame;
constexpr Heading kLeft{-1, 0}, kRight{1, 0}, kUp{0, -1}, kDown{0, 1};
constexpr Heading kTopLeft{-1, -1}, kTopRight{1, -1}, kBottomLeft{-1, 1}, kBottomRight{1, 1};
constexpr Heading kOpenX{1, 0}, kCloseX{-1, 0}, kOpenY{0, 1}, kCloseY{0, -1};

constexpr TransitionStyle kStyles[] = {
    {"fade", kFade},
    {"fadeblack", kFadeThroughBlack},
    {"fadewhite", kFadeThroughWhite},
    {"fadegrays", kFadeThroughGray},
    {"fadefast", kFadeFast},
    {"fadeslow", kFadeSlow},
    {"distance", kDistance},
    {"wipeleft", kWipe, kOver, kLeft},
    {"wiperight", kWipe, kOver, kRight},
    {"wipeup", kWipe, kOver, kUp},
    {"wipedown", kWipe, kOver, kDown},
    {"slideleft", kSlide, kSeparate, kLeft},
    {"slideright", kSlide, kSeparate, kRight},
    {"slideup", kSlide, kSeparate, kUp},
    {"slidedown", kSlide, kSeparate, kDown},
    {"coverleft", kCover, kOver, kLeft},
    {"coverright", kCover, kOver, kRight},
    {"coverup", kCover, kOver, kUp},
    {"coverdown", kCover, kOver, kDown},
    {"revealleft", kReveal, kUnder, kLeft},
    {"revealright", kReveal, kUnder, kRight},
    {"revealup", kReveal, kUnder, kUp},
    {"revealdown", kReveal, kUnder, kDown},
    {"squeezeh", kSqueeze, kUnder, {0, 1}},
    {"squeezev", kSqueeze, kUnder, {1, 0}},
    {"zoomin", kZoomIn, kSeparate},
    {"wipetl", kMask, kOver, kTopLeft, cornerWipeMask},
    {"wipetr", kMask, kOver, kTopRight, cornerWipeMask},
    {"wipebl", kMask, kOver, kBottomLeft, cornerWipeMask},
    {"wipebr", kMask, kOver, kBottomRight, cornerWipeMask},
    {"smoothleft", kMask, kOver, kLeft, smoothWipeMask},
    {"smoothright", kMask, kOver, kRight, smoothWipeMask},
    {"smoothup", kMask, kOver, kUp, smoothWipeMask},
    {"smoothdown", kMask, kOver, kDown, smoothWipeMask},
    {"vertopen", kMask, kOver, kOpenX, doorsMask},
    {"vertclose", kMask, kOver, kCloseX, doorsMask},
    {"horzopen", kMask, kOver, kOpenY, doorsMask},
    {"horzclose", kMask, kOver, kCloseY, doorsMask},
    {"hlslice", kMask, kOver, kLeft, slicesMask},
    {"hrslice", kMask, kOver, kRight, slicesMask},
    {"vuslice", kMask, kOver, kUp, slicesMask},
    {"vdslice", kMask, kOver, kDown, slicesMask},
    {"circleopen", kMask, kOver, kOpenX, irisMask},
    {"circleclose", kMask, kOver, kCloseX, irisMask},
    {"circlecrop", kMask, kHalf, {}, circleCropMask},
    {"rectcrop", kMask, kHalf, {}, rectCropMask},
    {"radial", kMask, kOver, {}, clockMask},
    {"diagtl", kMask, kOver, kTopLeft, diagonalMask},
    {"diagtr", kMask, kOver, kTopRight, diagonalMask},
    {"diagbl", kMask, kOver, kBottomLeft, diagonalMask},
    {"diagbr", kMask, kOver, kBottomRight, diagonalMask},
    {"hlwind", kMask, kOver, kLeft, windMask},
    {"hrwind", kMask, kOver, kRight, windMask},
    {"vuwind", kMask, kOver, kUp, windMask},
    {"vdwind", kMask, kOver, kDown, windMask},
    {"dissolve", kMask, kOver, {}, dissolveMask},
    {"pixelize", kPixelize},
    {"hblur", kHorizontalBlur},
    {"push-left", kPush, kSeparate, kLeft},
    {"push-right", kPush, kSeparate, kRight},
    {"push-up", kPush, kSeparate, kUp},
    {"push-down", kPush, kSeparate, kDown},
    {"whip-pan-left", kWhipPan, kSeparate, kLeft},
    {"whip-pan-right", kWhipPan, kSeparate, kRight},
    {"whip-pan-up", kWhipPan, kSeparate, kUp},
    {"whip-pan-down", kWhipPan, kSeparate, kDown},
    {"zoom-blur", kZoomBlur, kSeparate},
    {"glitch", kGlitch, kSeparate},
    {"light-leak", kLight, kOver, kRight, nullptr, lightLeak},
    {"light-leak-left", kLight, kOver, kLeft, nullptr, lightLeak},
    {"light-leak-right", kLight, kOver, kRight, nullptr, lightLeak},
    {"light-leak-up", kLight, kOver, kUp, nullptr, lightLeak},
    {"light-leak-down", kLight, kOver, kDown, nullptr, lightLeak},
    {"page-curl-left", kPageCurl, kUnder, kLeft},
    {"page-curl-right", kPageCurl, kUnder, kRight},
    {"page-curl-up", kPageCurl, kUnder, kUp},
    {"page-curl-down", kPageCurl, kUnder, kDown},
    {"luma", kLuma},
    {"film-burn", kLight, kOver, {}, nullptr, filmBurn},
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
