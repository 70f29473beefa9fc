// Stores the organiser's token, which is in the fragment of the first address, for this tab. It is not a module,
// because modules run after the page is shown: a person who follows a link before that would lose the token.
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
