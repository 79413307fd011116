#include "render/open_films.h"

#include <utility>

#include "render/still_shelf.h"

namespace framewright {
namespace {

// Each holds the pictures that its decoder refers to: some ten of them.
constexpr size_t kMostFilms = 3;

}  // namespace

OpenFilms& OpenFilms::ofProcess() {
  static OpenFilms films;
  return films;
}

void OpenFilms::keep(bool whether) {
  std::list<Film> dropped;  // closed when the lock is open again
  std::lock_guard lock(mutex_);
  keeps_ = whether;
  if (!whether) dropped.swap(films_);
}

std::unique_ptr<VideoDecoder> OpenFilms::take(const std::string& path, int64_t timeUs) {
  std::lock_guard lock(mutex_);
  if (films_.empty()) return nullptr;
  const std::string key = StillShelf::keyOf(path, 0, 0);
  auto best = films_.end();
  for (auto film = films_.begin(); film != films_.end(); ++film) {
    if (film->key != key) continue;
    const bool reaches = film->timeUs <= timeUs;
    const bool bestReaches = best != films_.end() && best->timeUs <= timeUs;
    if (best == films_.end() || (reaches && (!bestReaches || film->timeUs > best->timeUs))) best = film;
  }
  if (best == films_.end()) return nullptr;
  auto decoder = std::move(best->decoder);
  films_.erase(best);
  return decoder;
}

void OpenFilms::leave(const std::string& path, int64_t timeUs, std::unique_ptr<VideoDecoder> film,
                      bool goesOn) {
  std::list<Film> dropped;  // closed when the lock is open again
  std::lock_guard lock(mutex_);
  if (!keeps_ && !goesOn) return;
  films_.push_front({StillShelf::keyOf(path, 0, 0), timeUs, std::move(film)});
  if (films_.size() > kMostFilms) dropped.splice(dropped.begin(), films_, std::prev(films_.end()));
}

size_t OpenFilms::kept() {
  std::lock_guard lock(mutex_);
  return films_.size();
}

}  // namespace framewright
