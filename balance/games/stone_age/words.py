"""Stone Age in words."""
def say(state, act, cell): return f"act {act}"
def tell(before, act, after, cell): return []
def show(state, cell): return ""
def lay(state, position, cell): pass
def read(state, path, cell): raise KeyError
