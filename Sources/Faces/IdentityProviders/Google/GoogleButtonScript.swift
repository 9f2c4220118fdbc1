import Calls
import HTTPTypes
import WireFormats

/// A small replacement of the script `https://accounts.google.com/gsi/client`: the button and the prompt in the mode `redirect`.
enum GoogleButtonScript {
    static let path = "/gsi/client"

    static let response = Response(
        status: .ok, contentType: "text/javascript; charset=utf-8", headers: [.cacheControl: "public, max-age=60"], text: text)

    private static let text = #"""
        // Google Identity Services in Virga. (Google Identity, "Sign in with Google JavaScript API reference".)
        (() => {
          const base = document.currentScript.src.replace(/client(\?.*)?$/, "");
          let settings = {};
          const token = () => {
            const known = document.cookie.match(/(?:^|; )g_csrf_token=([^;]*)/);
            const random = crypto.getRandomValues(new Uint8Array(16));
            const value = known ? known[1] : Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
            document.cookie = `g_csrf_token=${value}; path=/; max-age=1800`;
            return value;
          };
          const select = (further) => {
            const fields = {
              client_id: settings.client_id, login_uri: settings.login_uri || location.href.split("#")[0], ux_mode: "redirect",
              nonce: settings.nonce, login_hint: settings.login_hint, hd: settings.hd, ...further, g_csrf_token: token(),
            };
            const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== "");
            location.assign(base + "select?" + new URLSearchParams(present));
          };
          const id = {
            initialize(configuration) {
              if (configuration.callback || configuration.ux_mode === "popup") {
                throw new Error("Virga supports Google's button with ux_mode 'redirect' and a login_uri. Callbacks and popups are not supported.");
              }
              settings = configuration;
            },
            renderButton(parent, options = {}) {
              const button = document.createElement("button");
              button.type = "button";
              button.className = "virga-google-button";
              button.textContent = "Sign in with Google";
              button.addEventListener("click", () => select({state: options.state}));
              parent.replaceChildren(button);
            },
            prompt() {
              const place = document.createElement("div");
              place.id = "credential_picker_container";
              place.style = "position: fixed; top: 1rem; right: 1rem";
              document.body.append(place);
              id.renderButton(place);
            },
            cancel() { document.getElementById("credential_picker_container")?.remove(); },
            disableAutoSelect() {},
          };
          window.google = {...window.google, accounts: {...window.google?.accounts, id}};
          const start = () => {
            const marked = document.getElementById("g_id_onload");
            if (marked) {
              id.initialize({...marked.dataset, ux_mode: marked.dataset.ux_mode || "redirect"});
              document.querySelectorAll(".g_id_signin").forEach((place) => id.renderButton(place, place.dataset));
            }
            window.onGoogleLibraryLoad?.();
          };
          document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", start) : start();
        })();

        """#
}
