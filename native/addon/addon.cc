#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <napi.h>

#include "addon/arguments.h"
#include "addon/task.h"
#include "addon/task_registry.h"
#include "compositor/choose_compositor.h"
#include "kernels/simd_target.h"
#include "media/encoders/encoder_trial.h"
#include "media/log_capture.h"
#include "media/probe.h"
#include "render/extract_sound.h"
#include "render/render.h"
#include "sandbox/system_calls.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace framewright {
namespace {

constexpr const char* kEngineVersion = "0.1.0";

Napi::Number number(Napi::Env env, double value) { return Napi::Number::New(env, value); }

Napi::Object factsToJs(Napi::Env env, const MediaFacts& facts) {
  const char* kinds[] = {"image", "video", "audio"};
  Napi::Object rate = Napi::Object::New(env);
  rate.Set("num", number(env, static_cast<double>(facts.frameRate.num)));
  rate.Set("den", number(env, static_cast<double>(facts.frameRate.den)));
  Napi::Object object = Napi::Object::New(env);
  object.Set("kind", Napi::String::New(env, kinds[static_cast<int>(facts.kind)]));
  object.Set("container", Napi::String::New(env, facts.container));
  object.Set("videoCodec", Napi::String::New(env, facts.videoCodec));
  object.Set("audioCodec", Napi::String::New(env, facts.audioCodec));
  object.Set("width", number(env, facts.width));
  object.Set("height", number(env, facts.height));
  object.Set("durationSeconds", number(env, facts.durationSeconds));
  object.Set("frameRate", rate);
  object.Set("hasAudio", Napi::Boolean::New(env, facts.hasAudio));
  return object;
}

Napi::Object factsToJs(Napi::Env env, const AudioFacts& facts) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("samples", number(env, static_cast<double>(facts.samples)));
  object.Set("bytes", number(env, static_cast<double>(facts.bytes)));
  return object;
}

// Short enough for libuv's pool.
class ProbeWorker final : public Napi::AsyncWorker {
 public:
  ProbeWorker(Napi::Env env, std::string path)
      : Napi::AsyncWorker(env), path_(std::move(path)), deferred_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { facts_.emplace(probe(path_)); }
  void OnOK() override {
    if (facts_->ok()) {
      deferred_.Resolve(factsToJs(Env(), facts_->value()));
    } else {
      deferred_.Reject(toJsError(Env(), facts_->error()).Value());
    }
  }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const std::string path_;
  Napi::Promise::Deferred deferred_;
  std::optional<Result<MediaFacts>> facts_;
};

Napi::Value throwTypeError(Napi::Env env, const char* text) {
  Napi::TypeError::New(env, text).ThrowAsJavaScriptException();
  return env.Undefined();
}

Napi::Object verdictToJs(Napi::Env env, const EncoderVerdict& verdict) {
  Napi::Object entry = Napi::Object::New(env);
  entry.Set("name", Napi::String::New(env, verdict.name));
  entry.Set("available", Napi::Boolean::New(env, verdict.available));
  entry.Set("reason", Napi::String::New(env, verdict.reason));
  entry.Set("refusal", Napi::String::New(env, verdict.refusal));
  return entry;
}

class TrialWorker final : public Napi::AsyncWorker {
 public:
  TrialWorker(Napi::Env env, std::string name)
      : Napi::AsyncWorker(env), name_(std::move(name)), deferred_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { verdict_ = tryEncoder(name_); }
  void OnOK() override { deferred_.Resolve(verdictToJs(Env(), verdict_)); }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const std::string name_;
  EncoderVerdict verdict_;
  Napi::Promise::Deferred deferred_;
};

Napi::Array verdictsToJs(Napi::Env env, const std::vector<EncoderVerdict>& verdicts) {
  Napi::Array list = Napi::Array::New(env);
  for (const EncoderVerdict& verdict : verdicts) {
    list.Set(list.Length(), verdictToJs(env, verdict));
  }
  return list;
}

Napi::Array compositorsToJs(Napi::Env env) {
  std::vector<EncoderVerdict> list;
  for (const CompositorVerdict& verdict : compositorVerdicts()) {
    EncoderVerdict& entry = list.emplace_back();
    entry.name = verdict.name;
    entry.available = verdict.available;
    entry.reason = verdict.reason;
  }
  return verdictsToJs(env, list);
}

// A render starts threads for every segment and recycles its big buffers itself. With an arena per thread and
// a growing mmap threshold glibc would keep a little more of what they freed with every scene.
void keepMemoryFlat() {
#ifdef __GLIBC__
  constexpr int kArenas = 2;
  constexpr int kMapFromBytes = 256 * 1024;
  mallopt(M_ARENA_MAX, kArenas);
  mallopt(M_MMAP_THRESHOLD, kMapFromBytes);
#endif
}

class Addon final : public Napi::Addon<Addon> {
 public:
  Addon(Napi::Env env, Napi::Object exports) {
    keepMemoryFlat();
    silenceLog();
    env.AddCleanupHook([](TaskRegistry* registry) { registry->cancelAll(); }, &registry_);
    DefineAddon(
        exports,
        {InstanceMethod("capabilities", &Addon::capabilities), InstanceMethod("probe", &Addon::probeFile),
         InstanceMethod("tryEncoder", &Addon::tryOneEncoder),
         InstanceMethod("renderSegment", &Addon::segment), InstanceMethod("renderAudio", &Addon::audio),
         InstanceMethod("stitch", &Addon::stitchMovie), InstanceMethod("composeFrame", &Addon::frame),
         InstanceMethod("extractSound", &Addon::sound), InstanceMethod("seal", &Addon::seal)});
  }

 private:
  Napi::Value capabilities(const Napi::CallbackInfo& call) {
    const Napi::Env env = call.Env();
    Napi::Object libraries = Napi::Object::New(env);
    for (const auto& [name, version] : libraryVersions())
      libraries.Set(name, Napi::String::New(env, version));
    Napi::Object object = Napi::Object::New(env);
    object.Set("engineVersion", Napi::String::New(env, kEngineVersion));
    object.Set("libraries", libraries);
    object.Set("simd", Napi::String::New(env, simdTargetName()));
    object.Set("compositors", compositorsToJs(env));
    object.Set("encoders", verdictsToJs(env, tryEncoders()));
    return object;
  }

  // Not undone by anything: this process starts no program and no process any more.
  Napi::Value seal(const Napi::CallbackInfo& call) {
    const sandbox::Outcome outcome = sandbox::sealSystemCalls();
    return Napi::String::New(call.Env(), outcome.ok ? "" : outcome.reason);
  }

  Napi::Value tryOneEncoder(const Napi::CallbackInfo& call) {
    if (call.Length() < 1 || !call[0].IsString())
      return throwTypeError(call.Env(), "tryEncoder(name: string)");
    auto* worker = new TrialWorker(call.Env(), call[0].As<Napi::String>());  // frees itself when done
    const Napi::Promise promise = worker->promise();
    worker->Queue();
    return promise;
  }

  Napi::Value probeFile(const Napi::CallbackInfo& call) {
    if (call.Length() < 1 || !call[0].IsString()) return throwTypeError(call.Env(), "probe(path: string)");
    auto* worker = new ProbeWorker(call.Env(), call[0].As<Napi::String>());  // frees itself when done
    const Napi::Promise promise = worker->promise();
    worker->Queue();
    return promise;
  }

  Napi::Value segment(const Napi::CallbackInfo& call) {
    const Napi::Env env = call.Env();
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 4 || !call[1].IsObject() || !call[2].IsString() || !call[3].IsFunction()) {
      return throwTypeError(env, "renderSegment(timeline, {first, end}, path, onProgress)");
    }
    const auto range = call[1].As<Napi::Object>();
    const FrameRange frames{range.Get("first").ToNumber().Int64Value(),
                            range.Get("end").ToNumber().Int64Value()};
    return startTask(
        env, registry_,
        [text = *json, frames, path = call[2].As<Napi::String>().Utf8Value()](
            const CancelToken& cancel, const ProgressSink& progress) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const SegmentFacts facts,
                              renderSegment(timeline, frames, path, progress, cancel));
          return ToJs([facts](Napi::Env jsEnv) {
            Napi::Object object = Napi::Object::New(jsEnv);
            object.Set("frames", number(jsEnv, static_cast<double>(facts.frames)));
            object.Set("composedFrames", number(jsEnv, static_cast<double>(facts.composedFrames)));
            object.Set("bytes", number(jsEnv, static_cast<double>(facts.bytes)));
            object.Set("decodeSeconds", number(jsEnv, facts.decodeSeconds));
            object.Set("composeSeconds", number(jsEnv, facts.composeSeconds));
            object.Set("encodeSeconds", number(jsEnv, facts.encodeSeconds));
            return object;
          });
        },
        call[3].As<Napi::Function>());
  }

  Napi::Value audio(const Napi::CallbackInfo& call) {
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 3 || !call[1].IsString() || !call[2].IsFunction()) {
      return throwTypeError(call.Env(), "renderAudio(timeline, path, onProgress)");
    }
    return startTask(
        call.Env(), registry_,
        [text = *json, path = call[1].As<Napi::String>().Utf8Value()](
            const CancelToken& cancel, const ProgressSink& progress) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const AudioFacts facts, renderAudio(timeline, path, progress, cancel));
          return ToJs([facts](Napi::Env env) { return factsToJs(env, facts); });
        },
        call[2].As<Napi::Function>());
  }

  Napi::Value sound(const Napi::CallbackInfo& call) {
    constexpr int kLowestRate = 8000;
    constexpr int kHighestRate = 48000;
    const bool given = call.Length() >= 3 && call[0].IsString() && call[1].IsString() && call[2].IsNumber();
    const int rate = given ? call[2].As<Napi::Number>().Int32Value() : 0;
    if (rate < kLowestRate || rate > kHighestRate) {
      return throwTypeError(call.Env(), "extractSound(path, outputPath, sampleRate: 8000 to 48000)");
    }
    return startTask(
        call.Env(), registry_,
        [rate, path = call[0].As<Napi::String>().Utf8Value(),
         outputPath = call[1].As<Napi::String>().Utf8Value()](const CancelToken& cancel,
                                                              const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const AudioFacts facts, extractSound(path, outputPath, rate, cancel));
          return ToJs([facts](Napi::Env env) { return factsToJs(env, facts); });
        },
        Napi::Function());
  }

  Napi::Value stitchMovie(const Napi::CallbackInfo& call) {
    const Napi::Env env = call.Env();
    StitchRequest request;
    if (call.Length() < 1 || !parseStitchRequest(call[0], request)) {
      return throwTypeError(env, "stitch({segmentPaths, audioPath?, outputPath})");
    }
    return startTask(
        env, registry_,
        [request](const CancelToken& cancel, const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const OutputFacts facts, stitch(request, cancel));
          return ToJs([facts](Napi::Env jsEnv) {
            Napi::Object object = Napi::Object::New(jsEnv);
            object.Set("frames", number(jsEnv, static_cast<double>(facts.frames)));
            object.Set("bytes", number(jsEnv, static_cast<double>(facts.bytes)));
            object.Set("durationSeconds", number(jsEnv, facts.durationSeconds));
            return object;
          });
        },
        Napi::Function());
  }

  Napi::Value frame(const Napi::CallbackInfo& call) {
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 2 || !call[1].IsNumber()) {
      return throwTypeError(call.Env(), "composeFrame(timeline, frame)");
    }
    return startTask(
        call.Env(), registry_,
        [text = *json, frame = call[1].As<Napi::Number>().Int64Value()](const CancelToken& cancel,
                                                                        const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const ImagePtr image, composeFrame(timeline, frame, cancel));
          return ToJs([image](Napi::Env env) { return imageToJs(env, *image); });
        },
        Napi::Function());
  }

  TaskRegistry registry_;
};

}  // namespace
}  // namespace framewright

using FramewrightAddon = framewright::Addon;
NODE_API_NAMED_ADDON(framewright, FramewrightAddon)
