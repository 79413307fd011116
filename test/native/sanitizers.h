#pragma once

namespace framewright {

// How many of `count` similar cases a test takes. All of them run the same code; with sanitizers, which make it five
// times slower, a fifth is enough.
template <typename Count>
constexpr Count fewerWithSanitizers(Count count) {
#ifdef __SANITIZE_ADDRESS__
  return (count + 4) / 5;
#else
  return count;
#endif
}

}  // namespace framewright
