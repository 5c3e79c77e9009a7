// Before the first paint: what only works with scripts may show itself.
document.documentElement.classList.add("js");
