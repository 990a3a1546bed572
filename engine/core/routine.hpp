// The coroutine type of strategies. It knows no executor, socket or clock: an effect suspends it, and whoever
// performs the effect resumes it.
//
// A Routine starts when awaited or when `start` is called, and owns its frame: destroying it while suspended
// destroys everything it holds. Exceptions travel to the awaiting coroutine, or to `start`'s callback.
// Not thread-safe: start and resume on one thread.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace ridgeline {

template <class T = void>
class [[nodiscard]] Routine;

namespace detail {

struct RoutinePromiseBase {
  std::coroutine_handle<> continuation;
  std::function<void(std::exception_ptr)> on_end;  // set by start, on the outermost routine only
  std::exception_ptr error;
  bool starting = false;  // the awaiting coroutine is still inside its await_suspend

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  struct Final {
    bool await_ready() noexcept { return false; }
    // Resumes by a plain call and not by symmetric transfer: g++ makes that a tail call only from -O2 on, and
    // a replay of thousands of steps must not grow the stack in a debug build. `starting` keeps the depth
    // bounded.
    template <class P>
    void await_suspend(std::coroutine_handle<P> self) noexcept {
      auto& promise = self.promise();
      if (promise.starting) return;  // the awaiting coroutine sees done() and goes on by itself
      if (promise.continuation) {
        promise.continuation.resume();
      } else if (promise.on_end) {
        // The callback may destroy this frame, so nothing of it is touched afterwards.
        const auto call = std::move(promise.on_end);
        call(promise.error);
      }
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
};

template <class T>
struct RoutinePromise : RoutinePromiseBase {
  std::optional<T> value;
  Routine<T> get_return_object();
  void return_value(T result) { value = std::move(result); }
};

template <>
struct RoutinePromise<void> : RoutinePromiseBase {
  Routine<void> get_return_object();
  void return_void() noexcept {}
};

}  // namespace detail

template <class T>
class [[nodiscard]] Routine {
 public:
  using promise_type = detail::RoutinePromise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  explicit Routine(Handle handle) : handle_(handle) {}
  Routine(Routine&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Routine& operator=(Routine&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Routine() {
    if (handle_) handle_.destroy();
  }

  /// Runs to the first suspension. `on_end` is called once, at the end, with the exception or null; it may
  /// destroy this Routine.
  void start(std::function<void(std::exception_ptr)> on_end) {
    handle_.promise().on_end = std::move(on_end);
    handle_.resume();
  }

  auto operator co_await() && {
    struct Awaiter {
      Handle handle;
      bool await_ready() { return false; }
      bool await_suspend(std::coroutine_handle<> awaiting) {
        handle.promise().continuation = awaiting;
        handle.promise().starting = true;
        handle.resume();
        handle.promise().starting = false;
        return !handle.done();
      }
      T await_resume() {
        if (handle.promise().error) std::rethrow_exception(handle.promise().error);
        if constexpr (!std::is_void_v<T>) return std::move(*handle.promise().value);
      }
    };
    return Awaiter{handle_};
  }

 private:
  Handle handle_;
};

namespace detail {
template <class T>
Routine<T> RoutinePromise<T>::get_return_object() {
  return Routine<T>(std::coroutine_handle<RoutinePromise<T>>::from_promise(*this));
}
inline Routine<void> RoutinePromise<void>::get_return_object() {
  return Routine<void>(std::coroutine_handle<RoutinePromise<void>>::from_promise(*this));
}
}  // namespace detail

}  // namespace ridgeline
