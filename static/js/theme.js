// Light or dark: the system's wish, until somebody chooses otherwise. Runs before the first paint.
(() => {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  // The admin, which shares the choice, calls the system's wish "auto".
  const chosen = () => { try { return localStorage.getItem("theme")?.replace("auto", ""); } catch { return null; } };
  const show = () => { root.dataset.theme = chosen() || (dark.matches ? "dark" : "light"); };
  show();
  dark.addEventListener("change", show);
  document.addEventListener("click", event => {
    if (!event.target.closest("#theme")) return;
    const other = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", other); } catch { /* private windows remember nothing */ }
    root.dataset.theme = other;
  });
})();
