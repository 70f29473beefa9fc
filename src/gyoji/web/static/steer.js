// The organiser's token comes once, in the fragment of an address, and stays in this tab. No module, because those
// run when the page is shown already: whoever was quick to follow a link left the token behind.
{
  const keep = () => {
    const token = new URLSearchParams(location.hash.slice(1)).get("steer");
    if (!token) return;
    sessionStorage.setItem("steer", token);
    history.replaceState(null, "", location.pathname + location.search);
  };
  keep();
  addEventListener("hashchange", keep); // such a link was opened in this tab
}
